"""Causes of a bot's failures: hypotheses, evidence, ranking.

Hypotheses: `signatures` (known faults, as recorded), `clause_parts` (clauses).
Evidence: `search_statistics`, `deviations`, `komi_fit` (what searches show), `pointing` and `spectrum` (what
checks show), `broken_dialogues` (failures with one cause), `observations` (what a fault would show there),
`effects` and `contradiction` (faults that the findings rule out).
Ranking: `fault_ranking` (sets of one and two faults) and `clause_ranking`. `diagnose` joins both: it names
one cause after the other, without the `consequences` of those before.
"""
