"""Entry point of the review app: the server, and the additions to the page that Streamlit sends.

streamlit run reports/app/main.py -- --run RUN
streamlit run reports/app/main.py -- --candidates-dir DIR --state PATH --double 0.2 --target 20 --reviewer NAME
"""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.routing import Route

from reports.app.server_responses import ADDRESS, static_report, with_script

shell = Middleware(BaseHTTPMiddleware, dispatch=with_script)
app = st.App(Path(__file__).with_name("app_pages.py"), routes=[Route(ADDRESS, static_report)], middleware=[shell])
