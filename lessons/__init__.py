"""The content of each page, one folder per page; uses `lmcore` and `ui`, is used by `pages`.

lesson.toml presets and beats
state       the page's settings, and what they describe
picture     trace → what the page's script draws         no Streamlit
figures     result → Plotly figure                       no Streamlit
text        sentences with numbers in them               no Streamlit
*section*   the views under the picture
*.js *.css  draw in the browser
"""
