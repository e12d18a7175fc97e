"""Text from outside as XML 1.0 can hold it."""

from __future__ import annotations

import re

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """Text without the characters that XML cannot hold, which are shown escaped."""
    return _NOT_XML.sub(lambda match: ascii(match[0])[1:-1], text)
