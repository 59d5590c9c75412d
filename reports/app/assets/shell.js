"use strict";
// Runs before Streamlit's own scripts, on every page of the app.

// Streamlit looks for its server below the address of the page first, which is a 404 on a direct link to a page. It is at the root.
window.__streamlit = { BACKEND_BASE_URL: `${location.origin}/` };

// On a phone the sidebar covers the page: a choice in its list of pages closes it.
const NARROW = 768;
addEventListener("click", (event) => {
  if (innerWidth >= NARROW || !event.target.closest?.("[data-testid=stSidebarNavLink]")) return;
  setTimeout(() => document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click());
});
