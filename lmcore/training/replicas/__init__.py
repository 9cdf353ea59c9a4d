"""Training runs of several replicas of a server, each found from all of them.

wire      the calls between replicas: JSON over HTTP, signed with a secret that all of them have
replica   another replica, and its runs as they are seen from here
pool      the runs of this replica and of the others, behind the interface of the pool
"""
