"""Causes of a bot's failures: hypotheses, evidence, ranking.

`diagnose` takes the findings of a run and names one cause after the other, each found by `next_cause`,
without the `consequences` of those before. `diagnose_run` does so during a run.

- Hypotheses: `signatures` (known faults, as recorded), `choice_law` (their moves at other numbers of
  playouts), and the clauses, by the part of a bot (`clause_parts`).
- Evidence: `search_statistics`, `spread`, `deviations` and `komi_fit` (what searches show), `pointing` and
  `spectrum` (what checks show), `broken_dialogues` and `earlier_games` (failures with one cause),
  `observations` and `moments` (what a fault would show), `effects`, `plausible_faults`, `contradiction` and
  `replay` (faults that the findings rule out).
- Ranking: `fault_ranking` (sets of one and two faults), `clause_ranking` and `clause_marks`, both together in
  `likeliest_clause`. `unexplained` has the failures that are left.
- The result is a `cause`, perhaps a `named_fault`; `compared` counts what it is based on.
"""
