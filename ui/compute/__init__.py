"""Long computations: computed once for everybody, in turn, in processes where that is faster."""
