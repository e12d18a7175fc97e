"""`PendingOutput`: output that was read from an engine and not used yet."""

from __future__ import annotations

from collections import deque

from harness.gtp.answer_search import is_plain_answer, leading_answers


class PendingOutput:
    """A queue of pieces of output, as they were read.

    size   bytes of all pieces
    """

    def __init__(self) -> None:
        self.size = 0
        self._pieces: deque[bytes] = deque()

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def append(self, piece: bytes) -> None:
        """Add a piece at the end."""
        self._pieces.append(piece)
        self.size += len(piece)

    def put_back(self, *pieces: bytes) -> None:
        """Put pieces in front of the others, in their order."""
        self._pieces.extendleft(piece for piece in reversed(pieces) if piece)
        self.size += sum(map(len, pieces))

    def take(self) -> bytes:
        """Remove the first piece and return it."""
        piece = self._pieces.popleft()
        self.size -= len(piece)
        return piece

    def take_plain_answers(self) -> list[bytes]:
        """Remove the plain answers at the beginning of the first piece, and return them; often there is one.

        An incomplete answer, and output that is no plain answer, stay.
        """
        if not self._pieces:
            return []
        if is_plain_answer(self._pieces[0]):
            return [self.take()]
        answers, rest = leading_answers(self._pieces[0])
        if answers:
            self.take()
            self.put_back(rest)
        return answers
