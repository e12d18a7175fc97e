"""The checks themselves, one module for each subject. No family imports another.

`harness.suite.statement` explains how a check is stated. The modules share this vocabulary:

dialogue  lines sent to the bot, and the answer that each must get. `undo -> =` must succeed, `-> ?` must be
          refused, `-> *` may get any answer, `-> = ~REGEX` must succeed with a matching text. A line
          without an arrow leads to the subject and must succeed. `{size}` and `{known}` are a board size and
          a command that the bot accepts; NEW begins a game. All forms are explained in `dialogue` and
          `expectation` of `harness.check.procedures`, also the lines that are `chased` or `raw`.
probe     `Probe(id, board, to_move, komi, tail)`: a position in which the bot searches. `tail` has the moves
          after the drawn stones.
search    `SearchProcedure(probe, judge, least=, most=)`: how many searches are made, `least_quick` under a
          quick budget, and the function that judges them
settled   `settled(empty, white, black)`: a board on which no move is left, changed at these points
late      `passed_on(probe, n)`, `late(n)`: the game already has n moves, mostly passes. With n near the move
          cap CAP = 3 x 9 x 9, a playout ends after a few moves.
"""
