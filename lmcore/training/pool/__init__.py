"""Training runs in worker processes of this machine.

backend      the interface of the pool and of a cluster; pool: the bounded pool itself
runs, register, run_journal, run_changes   the state of the runs, and its record on disk
scheduler, worker_group, worker_process    the queue, the workers, their processes
worker, worker_storage, messages           the worker's side, and the messages of both sides
limits, store                              how many runs, and where their files are
service, mirrored                          the runs of a pool for other processes, and there
copied                                     runs to be read in a process that trains nothing
"""
