"""How Sphinx builds the book; `summon.book.build` is what reads this."""

from summon import words
from summon.book import linking

project = words.BOOK["title"]
html_title = words.BOOK["title"]
language = "en"

extensions = ["myst_nb"]
root_doc = "index"

# What the notebooks show is stored in them; nothing is run here.
nb_execution_mode = "off"
nb_render_markdown_format = "myst"
nb_code_prompt_show = "What this chapter brings in"
nb_code_prompt_hide = nb_code_prompt_show
# Widgets would be fetched from another host.
nb_ipywidgets_js: dict[str, dict[str, str]] = {}
myst_enable_extensions = ["colon_fence", "attrs_inline", "attrs_block"]
myst_heading_anchors = 3

# An extract of a long function is no whole program.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_theme_options: dict[str, object] = {"top_of_page_buttons": []}
templates_path = ["theme"]
html_css_files = ["colours.css", "book.css"]
html_js_files = ["book.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_use_index = False
# A page opened from the file system may not read the others.
html_show_search_summary = False


def setup(app: object) -> None:
    """Have rule numbers lead to their pages."""
    linking.setup(app)
