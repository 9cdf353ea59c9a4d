"""Every use of a private name of Streamlit, one file per purpose.

Two kinds of files: *patches* change how Streamlit works, and `patches` switches them;
the other files only read, and hold what has no public name.
"""
