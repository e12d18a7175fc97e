"""The checks themselves, one module for each subject. No family imports another.

`harness.suite.statement` explains how a check is stated. Each module has its checks in CHECKS, which
`harness.suite.registry` collects. The modules share this vocabulary:

dialogue  lines sent to the bot, and the answer that each must get. `undo -> =` must succeed, `-> ?` must be
          refused, `-> *` may get any answer, `-> = ~REGEX` must succeed with a matching text. A line
          without an arrow leads to the subject and must succeed. `{size}` and `{known}` are a board size and
          a command that the bot accepts, and `{answer}` is the answer to that command; NEW begins a game.
          All forms are explained in `script` and `expectation` of `harness.check.procedures`, also the lines
          that are `chased` or `raw`. `Dialogue` explains the options, such as `final` and `before`.
probe     `Probe(id, board, to_move, komi, tail)`: a position in which the bot searches. `tail` has the moves
          after the drawn stones. Most are near the end of a game, where all playouts can be enumerated.
settled   `settled(empty, white, black)`: a board on which no move is left, changed at these points. Without
          changes Black has the columns A to E, and leads by 9 points.
late      `passed_on(probe, n)`, `late(n)`: the game already has n moves, mostly passes. With n near the move
          cap CAP = 3 x 9 x 9, a playout ends after a few moves.
search    `SearchProcedure(probe, judge, least=, most=, least_quick=)`: how many searches are made, at least
          (also under a quick budget) and at most, and the function that judges them
judge     `judge_moments` compares the mean length and result of playouts with the expected ones,
          `judge_moves` the chosen moves with allowed ones. Margins are in standard deviations of a playout.
"""
