"""Whether an option of Streamlit was set: by its file, its command line or the environment."""

from streamlit.config import is_manually_set

__all__ = ["is_manually_set"]
