"""Language models, each as the equations of its paper; every forward returns its trace.

language_model, scoring  the interface of every model, and the chain rule over a text
ngram        counts: ngram_counts does the counting
layers       what the networks share; then feedforward, rnn, gru, lstm
attention    scaled dot-product attention → multihead, masks, positions, embedding → blocks
recurrent_cells, soft_attention → recurrent_seq2seq   encoder and decoder, one vector or attention
gpt, bert, encoder_decoder   the Transformers; transformer_config has their sizes
interventions  changes to a forward pass, as arguments of `forward`
registry     the networks by name: build one, query it, sample from it
"""
