"""One scene of the game, for the browser tests and the gallery: `?scene=…` chooses it."""

import panel as pn

from summon.views.play import PAGE
from tests.browser.scenes import SCENES

pn.state.curdoc.template = PAGE
SCENES[pn.state.session_args["scene"][0].decode()].make().servable()
