from collections import Counter
from dataclasses import replace

import hypothesis.strategies as st
from hypothesis import given, settings

from harness.arena.pairings import Pairing, pairings
from harness.arena.records import Game
from harness.arena.run.dispenser import Dispenser
from tests.harness.arena.match_helpers import all_games

FORMATS = st.sampled_from(["round-robin", "gauntlet"])
ENGINES = st.integers(2, 9).map(lambda count: [f"engine {number}" for number in range(count)])
GAMES = st.integers(1, 12).map(lambda half: 2 * half)

few = settings(max_examples=25)
"""The laws are simple, and an example of theirs has up to 36 pairs of up to 24 games."""


@few
@given(ENGINES)
def test_a_round_robin_is_every_two_engines_once(engines: list[str]) -> None:
    met = {frozenset((pair.first, pair.second)) for pair in pairings(engines, "round-robin")}
    assert met == {frozenset((a, b)) for a in engines for b in engines if a != b}
    assert len(pairings(engines, "round-robin")) == len(met)


@few
@given(ENGINES)
def test_a_gauntlet_is_the_first_engine_against_each_other(engines: list[str]) -> None:
    pairs = pairings(engines, "gauntlet")
    assert [pair.first for pair in pairs] == [engines[0]] * (len(engines) - 1)
    assert [pair.second for pair in pairs] == engines[1:]


@few
@given(ENGINES, FORMATS, GAMES)
def test_every_pair_plays_its_games_half_of_them_with_either_colour(
    engines: list[str], form: str, games: int
) -> None:
    pairs = pairings(engines, form)
    played = all_games(pairs, games)
    assert len({game.id for game in played}) == len(played) == len(pairs) * games
    colours = Counter((game.black, game.white) for game in played)
    for pair in pairs:
        assert colours[pair.first, pair.second] == colours[pair.second, pair.first] == games // 2


def _with_games(pairs: list[Pairing], games: int) -> list[Pairing]:
    return [replace(pair, games=games) for pair in pairs]


@few
@given(ENGINES, FORMATS, GAMES)
def test_two_games_with_colours_exchanged_share_an_opening(engines: list[str], form: str, games: int) -> None:
    by_opening: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for game in all_games(pairings(engines, form), games):
        by_opening.setdefault((game.pair, game.opening), []).append((game.black, game.white))
    for first, second in by_opening.values():
        assert first == second[::-1]


@few
@given(ENGINES, FORMATS, GAMES)
def test_all_pairs_advance_together(engines: list[str], form: str, games: int) -> None:
    pairs = pairings(engines, form)
    seen = Counter({pair.number: 0 for pair in pairs})
    for game in all_games(pairs, games):
        seen[game.pair] += 1
        assert max(seen.values()) - min(seen.values()) <= 1


@few
@given(ENGINES, FORMATS, GAMES, st.integers(0, 3), st.integers(0, 3))
def test_added_engines_and_games_leave_the_rest_as_it_was(
    engines: list[str], form: str, games: int, more_engines: int, more_games: int
) -> None:
    before = set(all_games(pairings(engines, form), games))
    longer = [*engines, *(f"new {number}" for number in range(more_engines))]
    assert before <= set(all_games(pairings(longer, form), games + 2 * more_games))


@few
@given(ENGINES, FORMATS, GAMES, st.data())
def test_the_dispenser_gives_out_exactly_what_is_not_played_in_schedule_order(
    engines: list[str], form: str, games: int, data: st.DataObject
) -> None:
    pairs = pairings(engines, form)
    everything = all_games(pairs, games)
    played = data.draw(st.sets(st.sampled_from(everything)))
    dispenser = Dispenser(_with_games(pairs, games), [(game.pair, game.number) for game in played])
    expected = [game for game in everything if game not in played]
    assert dispenser.left() == len(expected)
    given_out = []
    while (game := dispenser.next_game()) is not None:
        given_out.append(game)
        assert dispenser.left() == len(expected) - len(given_out)
    assert given_out == expected


@few
@given(ENGINES, FORMATS, GAMES, st.data())
def test_pairs_of_games_give_out_the_same_games(
    engines: list[str], form: str, games: int, data: st.DataObject
) -> None:
    pairs = pairings(engines, form)
    everything = set(all_games(pairs, games))
    played = data.draw(st.sets(st.sampled_from(sorted(everything, key=lambda game: game.id))))
    dispenser = Dispenser(_with_games(pairs, games), [(game.pair, game.number) for game in played])
    given_out: list[Game] = []
    while together := dispenser.next_pair():
        given_out += together
        assert dispenser.left() == len(everything) - len(played) - len(given_out)
        # Both games of an opening come together, unless one of them is played already.
        same = {(game.pair, game.opening) for game in together}
        assert len(same) == 1
        assert {game for game in everything - played if (game.pair, game.opening) in same} == set(together)
    assert Counter(given_out) == Counter(everything - played)


@few
@given(ENGINES, GAMES, st.data())
def test_a_game_given_back_is_given_out_again_once(
    engines: list[str], games: int, data: st.DataObject
) -> None:
    dispenser = Dispenser(_with_games(pairings(engines, "round-robin"), games), [])
    seen = Counter[str]()
    while (game := dispenser.next_game()) is not None:
        if seen[game.id] == 0 and data.draw(st.booleans()):
            dispenser.give_back(game)
            seen[game.id] -= 1
        seen[game.id] += 1
        if seen[game.id] == 0:
            seen[game.id] = -1
            assert dispenser.left() > 0
            back = dispenser.next_game()
            assert back == game
            seen[game.id] = 1
    assert set(seen.values()) == {1}


def test_a_game_in_play_is_not_given_out_with_a_game_that_was_given_back() -> None:
    dispenser = Dispenser(_with_games(pairings(["a", "b"], "round-robin"), 2), [])
    first, second = dispenser.next_game(), dispenser.next_game()
    assert first is not None
    dispenser.give_back(first)
    assert second not in dispenser.next_pair()
    assert dispenser.left() == 0


def test_a_closed_pair_and_a_benched_engine_play_no_more() -> None:
    pairs = pairings(["a", "b", "c"], "round-robin")
    dispenser = Dispenser(_with_games(pairs, 4), [])
    first = dispenser.next_game()
    assert first is not None
    dispenser.give_back(first)
    dispenser.close(1)
    dispenser.bench("c")
    assert dispenser.left() == 0
    assert dispenser.next_game() is None


def test_pair_numbers_go_by_the_later_engine() -> None:
    assert pairings(["a", "b", "c"], "round-robin") == [
        Pairing(1, "a", "b"),
        Pairing(2, "a", "c"),
        Pairing(3, "b", "c"),
    ]
