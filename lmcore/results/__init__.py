"""Published results and costs as data: the tables of the decks, and what can be recomputed of them.

Read in this order:

    tables       a table as it is printed, its source, its numbers
    recomputed   averages, gains and roundings, recomputed beside the printed numbers
    comparison   two systems, or two scores: ratio, difference, share of the errors removed
    frontier     which systems no other system beats in both of two numbers
    costs        energy and CO₂ of a computation; doubling times

The numbers are quoted in `tables/`, one file per table.
"""
