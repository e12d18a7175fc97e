"""Generated dialogues and positions: a search for deviations that no check lists.

The order of the modules: `game_model` has a right bot's answer to any line, `dialogue_machine` and
`positions` generate, `walk` and `evidence` judge, `position_survey` gathers the evidence of all positions,
`shrink` reduces deviations, `exploration` has the plan and the events, `explorer` runs an exploration.
"""
