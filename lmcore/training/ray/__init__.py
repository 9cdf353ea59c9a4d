"""Training runs in a Ray cluster, behind the same interface as the pool.

terms        the settings, and the resources that Ray is asked for
pool         the runs of a cluster as one replica sees them, through bridge
keeper       the actor that holds the runs; worker: the actor that trains them
"""
