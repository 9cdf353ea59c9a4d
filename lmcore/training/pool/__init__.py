"""Training runs in worker processes of this machine.

backend      what a pool and a cluster both offer; pool: the bounded pool itself
runs, register, run_journal, run_changes   what is known of the runs
scheduler, worker_group, worker_process    who trains what, and the processes
worker, worker_storage, messages           the worker's side, and what both say
limits, store                              how many runs, and where their files lie
"""
