"""Three cases of the lectures as pictures: a paper label, the CO₂ of a training, uses of models."""
