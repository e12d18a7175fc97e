"""SVG elements as `Markup` (text that is safe in HTML): every attribute and every text is escaped."""

from __future__ import annotations

from markupsafe import Markup, escape


def element(name: str, *children: object, **attributes: object) -> Markup:
    """One element. An underscore in an attribute's name stands for a hyphen, `class_` for `class`.

    Children that are `Markup` are taken as they are; all others are escaped. Attributes that are None are
    left out.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_written(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not children:
        return Markup(f"<{name}{written}/>")
    inner = "".join(map(escape, children))
    return Markup(f"<{name}{written}>{inner}</{name}>")


def picture(width: float, height: float, title: str, *children: object, class_: str = "") -> Markup:
    """A drawing with a title for people who do not see it. Lengths are user units; CSS sets the width."""
    return element(
        "svg",
        element("title", title),
        *children,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=title,
        class_=class_ or None,
    )


def _written(value: object) -> object:
    return f"{value:.6g}" if isinstance(value, float) else value
