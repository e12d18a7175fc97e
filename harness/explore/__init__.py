"""Generated dialogues and positions: a search for deviations that no check lists.

A "right bot" follows the specification. To "hold" a session (also called a dialogue) is to send its lines and
judge the answers. The "law" of a number is its exact distribution. An answer is "open" if bots may differ.
`game_model` has its answer to any line (`wanted`), `command_model` to optional commands. `dialogue_machine`,
`command_sessions` and `positions` generate, `session_judge` and `position_judge` judge, `evidence` and
`position_survey` add up the evidence of all positions, `dialogues` and `position_reduction` reduce
deviations, `exploration` has the plan and the events, `explorer` runs an exploration.
"""
