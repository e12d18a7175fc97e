"""Shell commands that send GTP lines to an engine, for a person who repeats a dialogue by hand."""

from __future__ import annotations

from collections.abc import Sequence

from harness.gtp.stream import ENDLESS_COMMANDS
from harness.gtp.syntax import command_name


def _in_printf(byte: int) -> str:
    """Return how a byte is written in a format of `printf` that stands in single quotes."""
    if byte == ord("\n"):
        return "\\n"
    if byte == ord("%"):
        return "%%"
    return f"\\{byte:03o}" if byte in b"'\\" or byte < 32 or byte > 126 else chr(byte)


_IN_PRINTF = {byte: _in_printf(byte) for byte in range(256)}


def dialogue_command(lines: Sequence[bytes], command: str) -> str:
    """Return a shell command that sends `lines` and `quit` to the engine: `printf '…' | engine`.

    It waits a second after each command whose answer goes on until the next line.
    """
    parts: list[list[bytes]] = [[]]
    for line in lines:
        parts[-1].append(line)
        if command_name(line) in ENDLESS_COMMANDS:
            parts.append([])
    parts[-1].append(b"quit\n")
    sent = "; sleep 1; ".join(f"printf '{_printf_format(part)}'" for part in parts)
    return f"{sent} | {command}" if len(parts) == 1 else f"({sent}) | {command}"


def _printf_format(lines: Sequence[bytes]) -> str:
    text = b"".join(lines).decode("latin-1").translate(_IN_PRINTF)
    return "\\055" + text[1:] if text.startswith("-") else text  # no option of printf
