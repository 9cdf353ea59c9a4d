"""Static word vectors: one vector for each word, from the words around it.

Read in this order:

pairs              sentences as word ids; which words are within ±m of each other, and where
counts             co-occurrence counts, the places of every cell, PMI and PPMI
svd                word vectors as a truncated SVD of PPMI
vectors            words and their vectors, and snapshots of vectors during training
neighbours         cosine, nearest words, analogies, an axis between two poles, precision@k
planted            the corpus, and which of its words are similar by construction
negative_sampling  the loss of word2vec and its gradients
skipgram           skip-gram and CBOW, trained in mini-batches with snapshots
glove              GloVe: a weighted least-squares fit of log counts
fasttext           skip-gram whose words are sums of their character n-grams
methods            all of these methods behind one call, each with its snapshots
maps               a plane that stays while the vectors move, and the nearest words through time
sentences          a running text as sentences of lower-case words
nnlm               the model of 2003 trained on the same text, for its word vectors
english            the input table of a pretrained model as static vectors of whole words
costs              multiply–adds of one training token: NNLM, CBOW and skip-gram
"""
