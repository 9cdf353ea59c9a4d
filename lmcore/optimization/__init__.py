"""How parameters follow a gradient: linear regression, other surfaces, update rules, schedules.

Read in this order:

    objective      what a loss must offer so that it can be descended on and drawn
    regression     linear regression: loss, gradient, closed form, Hessian and what η it allows
    updates        one step of SGD, momentum and Adam, for any number of runs at once
    schedules      the learning rate of every step
    batches        which points each step of SGD reads, and how noisy its gradient is
    paths          whole runs from one start: parameters, gradient, η and L at every step
    sweeps         the runs of a race at many η at once, for a slider of η
    loss_grid      the loss on a grid of two parameters
    landscapes     surfaces that are not convex: a saddle, the plateau of a saturated unit
    weight_step    one step of the feedforward language model, one weight of it spelled out
    text_steps     a text word by word from random weights, one step for each word
    slide_code     the slides' PyTorch code as written and corrected, each fault run
    slide_snippet  the snippet of the slide corrected, with the places of its faults; the two demos

The surface of a whole network is in `lmcore.networks.landscape`.
"""
