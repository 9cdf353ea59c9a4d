"""The content of each page, one folder per page; uses `lmcore`, is used by `pages`.

picture     trace → what the page's script draws         no Streamlit
figures     result → Plotly figure                       no Streamlit
text        sentences with numbers in them               no Streamlit
*section*   the views under the picture
lesson.toml presets, beats and fixed sentences; *.js draws in the browser
shared      what several pages draw with
"""
