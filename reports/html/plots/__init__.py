"""Pictures of the HTML pages: SVG figures with a title, a tooltip for each part, and a table of the same figures."""
