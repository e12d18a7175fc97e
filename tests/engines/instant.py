"""An engine that answers at once and always right, for measuring the driver. Nothing but reads and writes."""

import os

BUFFER = 1 << 16


def main() -> None:
    while data := os.read(0, BUFFER):
        for line in data.splitlines():
            words = line.split()
            # A number in front is an id. It comes back with the answer.
            sign = b"=" + words.pop(0) if words and words[0].isdigit() else b"="
            answer = b" pass" if words and words[0] == b"genmove" else b""
            os.write(1, sign + answer + b"\n\n")
            if words and words[0] == b"quit":
                return


if __name__ == "__main__":
    main()
