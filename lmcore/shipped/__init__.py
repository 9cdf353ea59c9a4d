"""The models that come with the application, trained by this package.

models       the specs of their runs, and how to load their files in `weights/`
pretrain     python -m lmcore.shipped.pretrain [name …] trains them again
evaluate     python -m lmcore.shipped.evaluate [name …] prints their figures
english, english_gpt   a masked model of English, and a GPT that writes definitions: how to load
             them; english_text, …_training and english_card make them again, by timed_runs
translation_curves   exact match of the translation models by length, recorded beside the weights
switch_runs, translator_runs           small runs of examples, recorded in `recorded/`
"""
