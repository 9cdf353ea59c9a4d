"""How parameters follow a gradient.

updates  one step of SGD, momentum and Adam, for any number of runs at once
"""
