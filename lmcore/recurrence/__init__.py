"""What recurrent networks do over time: states, gates and gradients.

unrolled                       every number of every step of an RNN
through_time, truncated_bptt   backpropagation through time, whole and cut off
gates, gate_clamping           one LSTM cell; a text read with a gate fixed at a value
vanishing, recall              how gradients shrink, and what is remembered at a distance
unit_probes, receptive_field   units that track a property; what a position can depend on
"""
