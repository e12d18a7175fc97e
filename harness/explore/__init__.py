"""Generated dialogues and positions: a search for deviations that no check lists.

The order of the modules: `game_model` says what a right bot answers to any line, `dialogue_machine` and
`positions` generate, `walk` and `evidence` judge, `position_survey` gathers what all positions show, `shrink`
reduces what was found, `explorer` runs it all.
"""
