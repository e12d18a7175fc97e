"""Causes of a bot's failures: hypotheses, evidence, ranking.

`diagnose` takes the findings of a run and names one cause after the other, each found by `next_cause`,
without the `consequences` of those before. `diagnose_run` does so during a run.

Hypotheses: `signatures` (known faults, as recorded) and `choice_law` (their moves at other numbers of
playouts); clauses, by the `clause_parts` of a bot. Evidence: `search_statistics`, `spread`, `deviations`,
`komi_fit` (what searches show), `pointing` and `spectrum` (what checks show), `broken_dialogues` and
`earlier_games` (failures with one cause), `observations` (what a fault would show), `effects`,
`contradiction` and `replay` (faults that the findings rule out). Ranking: `fault_ranking` (sets of one and
two faults), `clause_ranking` and `clause_marks`, and both together in `likeliest_clause`. The result is a
`cause`, perhaps a `named_fault`; `compared` counts what it is based on.
"""
