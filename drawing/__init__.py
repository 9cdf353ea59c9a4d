"""What pictures and their sentences are made of; uses `lmcore`, is used by `ui` and `lessons`.

theme             the colour of every role
payload, events   what a script is sent, and what it may report
steps             a row of a step table
*.js              the pen, scales, labels and parts that several pages draw

Nothing here knows Streamlit or a page.
"""
