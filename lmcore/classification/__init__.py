"""Text classification: is a review positive or negative?

In the order to read it:

lexicons              positive and negative words, pronouns, and a tokenizer for reviews
features              the six features x₁ … x₆ of a typed text, with the places of the words
reviews               reviews from a small grammar, whose labels follow a known rule
own_reviews           one's own labelled reviews, from CSV text
accuracy              the share classified correctly, with its interval
hand_features         logistic regression and one hidden layer on the six features
embedding_classifier  learned embeddings, pooled to one vector, and one hidden layer
"""
