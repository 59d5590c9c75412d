"""The Streamlit app in which a person reviews candidates and reads oracles and verdicts."""
