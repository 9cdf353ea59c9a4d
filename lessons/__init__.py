"""The content of each page, one folder per page; uses `lmcore`, `drawing` and `ui`.

lesson.toml       presets and beats
<page>_state      the page's settings, and what they describe
<page>_picture    trace → what the page's script draws         no Streamlit
<page>_figures    result → Plotly figure                       no Streamlit
<page>_text       sentences with numbers in them               no Streamlit
<page>_views      the views under the picture
*.js *.css        draw in the browser

A large view has files of its own name: <view>_state, <view>_picture, <view>_text, <view>_view.
"""
