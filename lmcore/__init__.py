"""Language models from one neuron to generation: torch in, traces out, no user interface in here.

Glossary: one name per quantity, the same in code, on screen and in the notes.

    inputs               x    what a unit is given
    weights, bias        w, b what a unit has learned
    terms                wᵢxᵢ one product per input
    pre_activation       z    the weighted sum with the bias, before the nonlinearity
    output               y    g(z), where g is the activation; σ is only ever the logistic
    derivative           dy/dz
    value                     what a node of a computation graph holds
    local derivative          ∂output/∂operand of one operation, nothing upstream
    upstream             ∂L/∂output, what arrives from the loss
    contribution              upstream × local: what one edge passes down
    gradient             ∂L/∂node, the sum of the contributions of all its edges
    loss                 L    in nats where it is a log-probability
    learning_rate        η    (α is kept for attention weights)

Axes are words, in this order: `batch input`. Every computation returns its trace, a frozen
dataclass with its quantities in the order they are computed.
"""
