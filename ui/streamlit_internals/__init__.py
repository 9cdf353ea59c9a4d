"""Every use of a private name of Streamlit or uvicorn, one file a purpose."""
