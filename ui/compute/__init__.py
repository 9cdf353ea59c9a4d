"""Long computations: shared by all visitors, queued, and run in processes where that is faster."""
