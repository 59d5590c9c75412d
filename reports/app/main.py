"""Entry point of the review app: the server, and the additions to the page that Streamlit sends.

streamlit run reports/app/main.py -- --run RUN
streamlit run reports/app/main.py -- --candidates-dir DIR --state PATH --double 0.2 --target 20 --reviewer NAME
"""

import sys
from pathlib import Path

# Streamlit puts this folder first on the path, where its modules would stand for packages of the same name.
_HERE = Path(__file__).resolve().parent
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != _HERE]

import streamlit as st  # noqa: E402  # the path comes first
from starlette.middleware import Middleware  # noqa: E402  # as above
from starlette.middleware.base import BaseHTTPMiddleware  # noqa: E402  # as above
from starlette.routing import Route  # noqa: E402  # as above

from reports.app.server_responses import ADDRESS, static_report, with_script  # noqa: E402  # as above

shell = Middleware(BaseHTTPMiddleware, dispatch=with_script)
app = st.App(_HERE / "app_pages.py", routes=[Route(ADDRESS, static_report)], middleware=[shell])
