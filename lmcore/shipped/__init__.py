"""The models that come with the app, trained by this package.

models       the runs that made them, and how to read their files in `weights/`
pretrain     python -m lmcore.shipped.pretrain [name …] trains them again
evaluate     python -m lmcore.shipped.evaluate [name …] prints their figures
"""
