"""Tells what the server knows of its visitor; run by Python itself with a port, it is served with signed sessions."""

import json
import secrets
import sys

import panel as pn

from summon.views import identity


def known() -> str:
    return json.dumps(
        {
            "hash": identity.token_hash(),
            "address": identity.remote_address(),
            "cookies": dict(pn.state.cookies),
            "headers": dict(pn.state.headers),
            "payload": str(pn.state.curdoc.session_context.token_payload),
        }
    )


def page() -> pn.viewable.Viewable:
    shown = pn.pane.Str(known(), css_classes=["known"])
    counted = pn.pane.Str("0", css_classes=["counted"])

    def again(_: object) -> None:
        shown.object, counted.object = known(), str(int(counted.object) + 1)

    return pn.Column(shown, counted, pn.widgets.Button(name="again", on_click=again))


if __name__ == "__main__":
    port = int(sys.argv[1])
    pn.serve(
        {"identity": page},
        address="127.0.0.1",
        port=port,
        websocket_origin=f"127.0.0.1:{port}",
        show=False,
        sign_sessions=True,
        secret_key=secrets.token_bytes(32),
    )
else:
    print("the app sees", dict(pn.state.cookies), dict(pn.state.headers), flush=True)
    page().servable()
