"""The parts of pictures and their sentences; uses `lmcore`, is used by `ui` and `lessons`.

theme             the colour of every role
payload, events   the data that a script receives, and the events that it may report
steps             the rows of a step table
*.js              the pen, scales, labels and parts that several pages draw

Nothing here depends on Streamlit or on a page.
"""
