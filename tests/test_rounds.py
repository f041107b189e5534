"""Matches played out at random: the same as a match played choice by choice with the same draws."""

import random
from typing import Any

import pytest
from lots import LEVELS, RULES, Lots, any_rules, choose
from reference_rng import Rng

import guandan as gd
from guandan import ending
from guandan.gifts import Exchange
from guandan.record import Result
from guandan.rounds import Rounds, turned_up
from guandan.standing import known

DECKS = gd.Hand.from_counts([2] * 54)


def finish(match: gd.Match, seed: int) -> gd.Match:
    """Play a match to its end, drawing what is dealt and chosen as a playout does."""
    rng = Rng.stream(seed, 0)
    match._dealer = Lots(rng, match._dealer.given)  # type: ignore[assignment]
    while match.phase != "over":
        seat = choose(rng, match.to_act)
        match.act(choose(rng, match.options(seat)), seat)
    return match


def act_at_random(match: gd.Match, rng: random.Random) -> None:
    """Let one of the seats that must act do anything."""
    seat = rng.choice(match.to_act)
    match.act(rng.choice(match.options(seat)), seat)


def view(match: gd.Match) -> list[Any]:
    """Give all that can be seen of a match."""
    options = [match.options(seat) for seat in match.to_act]
    return [match.history, match.hands, match.phase, match.to_act, options, match.standing]


@pytest.fixture
def standings(monkeypatch: pytest.MonkeyPatch) -> list[gd.Standing]:
    """Collect the last standings of playouts."""
    found: list[gd.Standing] = []

    def noted(values: dict[str, Any]) -> gd.Standing:
        found.append(known(values))
        return found[-1]

    monkeypatch.setattr(ending, "known", noted)
    return found


def compare(match: gd.Match, seed: int, standings: list[gd.Standing]) -> Result:
    """Play a match out, and a copy of it choice by choice."""
    before = view(match)
    standings.clear()
    result = match.playout(seed)
    assert view(match) == before
    twin = finish(match.copy(), seed)
    assert result == twin.result
    # An extra deal that is in play changes no standing.
    is_extra = match.declarers is None and match.deal_number > 1
    assert standings == ([] if is_extra else [twin.standing])
    return result


@pytest.mark.parametrize("name", RULES)
def test_playouts_of_new_matches(name: str, standings: list[gd.Standing]) -> None:
    found = set()
    for seed in range(12):
        match = gd.Match(RULES[name], seed=seed)
        found.add(compare(match, 100 + seed, standings).reason)
    assert found <= {"ace", "falls", "deals", "extra_deal"}
    assert len(found) > (name in ("falls", "2 deals, extra_deal"))


def test_playouts_under_any_rules(standings: list[gd.Standing]) -> None:
    rng = random.Random(1)
    found = set()
    for seed in range(80):
        found.add(compare(gd.Match(any_rules(rng), seed=seed), seed, standings).reason)
    assert found == {"ace", "falls", "deals", "extra_deal"}


@pytest.mark.parametrize("name", RULES)
def test_playouts_from_anywhere(name: str, standings: list[gd.Standing]) -> None:
    rng = random.Random(name)
    match = gd.Match(RULES[name], seed=5)
    left = {"tribute": 6, "return": 6, "play": 6}
    seen = set()
    while match.phase != "over" and any(left.values()):
        if left[match.phase] and (match.phase != "play" or rng.random() < 0.02):
            left[match.phase] -= 1
            seen.add((match.phase, len(match.to_act)))
            compare(match, rng.getrandbits(64), standings)
        act_at_random(match, rng)
    assert ("play", 1) in seen
    assert ("return", 1) in seen


# Cards of each hand, and the phases that come of them, with how many must act.
AMID = {
    "S3 / SA CA / S4 / DA HA": {("tribute", 2), ("tribute", 1), ("return", 2), ("return", 1)},
    "S3 / SA CA / S4 / DK": {("tribute", 1), ("return", 2), ("return", 1), ("play", 1)},
    "S3 / HR SA / S4 / HR": {("tribute", 1), ("return", 2), ("return", 1), ("play", 1)},
}


@pytest.mark.parametrize("cards", AMID)
def test_playouts_amid_tribute(cards: str, standings: list[gd.Standing]) -> None:
    rng = random.Random(cards)
    met = set()
    for seed in range(40):
        held = [gd.Hand(part) for part in cards.split("/")]
        rest = sorted(
            DECKS - (held[0] + held[1] + held[2] + held[3]),
            key=lambda card: (card[1] in "5KABR", rng.random()),
        )
        for seat in (1, 3, 0, 2):
            n = 27 - len(held[seat])
            held[seat] += gd.Hand(rest[:n])
            rest = rest[n:]
        match = gd.Match(
            gd.Rules.preset("seed002"),
            deals=[held, held],
            standing=gd.Standing(levels=("5", "2"), declarers=0),
            order=(0, 2, 1, 3),
        )
        for _ in range(seed % 4):
            if match.phase != "play":
                act_at_random(match, rng)
        met.add((match.phase, len(match.to_act)))
        result = compare(match, seed, standings)
        assert standings[0].deals == 2
        assert result.reason == "deals"
    assert met == AMID[cards]


def test_playouts_of_an_extra_deal(standings: list[gd.Standing]) -> None:
    checked = 0
    for seed in range(30):
        match = gd.Match(RULES["2 deals, extra_deal"], seed=seed)
        rng = random.Random(seed)
        while match.deal_number < 3 and match.phase != "over":
            act_at_random(match, rng)
        if match.phase != "over":
            assert compare(match, seed, standings).reason == "extra_deal"
            checked += 1
    assert checked


@pytest.mark.parametrize("conduct", ["seed000", "seed001"])
def test_playouts_with_turns_to_lose(conduct: str, standings: list[gd.Standing]) -> None:
    for seed in range(40):
        rng = random.Random(f"{conduct} {seed}")
        rules = gd.Rules.preset(conduct)
        rules = rules.replace(match_end=("deals", rng.randint(1, 3), "extra_deal"))
        match = gd.Match(rules, seed=seed)
        for _ in range(rng.randint(0, 300)):
            if match.phase != "over":
                act_at_random(match, rng)
        if match.phase != "play":
            continue
        for name in rng.choices(("lost_turn", "misreport"), (5, 1), k=rng.randint(1, 9)):
            try:
                match.event(name, rng.randrange(4))
            except ValueError:
                continue
            if match.phase == "play":
                compare(match, seed, standings)


@pytest.mark.parametrize(
    ("conduct", "arguments"), [("jiangsu2023", ("foul", 0, 3)), ("seed002", ("hidden_cards", 0))]
)
def test_playouts_of_a_deal_without_tribute(
    conduct: str, arguments: Any, standings: list[gd.Standing]
) -> None:
    for seed in range(10):
        match = gd.Match(gd.Rules.preset(conduct), seed=seed)
        match.event(*arguments)
        assert match.phase == "play"
        compare(match, seed, standings)
        act_at_random(match, random.Random(seed))
        compare(match, seed, standings)


def test_given_deals_are_as_many_and_drawn_anew(standings: list[gd.Standing]) -> None:
    deals = [gd.deal_hands(seed) for seed in range(4)]
    for rules in (gd.Rules(), RULES["2 deals, extra_deal"], gd.Rules.preset("seed001")):
        first = gd.Match(rules, seed=1, deals=deals)
        other = gd.Match(rules, seed=1, deals=[deals[0], *deals[:0:-1]])
        for seed in range(10):
            assert first.playout(seed) == other.playout(seed)
        compare(first, 3, standings)
        assert standings[0].deals == (2 if rules.match_end[0] == "deals" else 4)


def test_minutes_do_not_pass() -> None:
    now = [0.0]
    match = gd.Match(gd.Rules.preset("seed001"), seed=1, clock=lambda: now[0])
    before = match.playout(1)
    assert before.reason == "ace"
    now[0] = 1e9
    assert match.playout(1) == before


def test_a_match_that_is_over_has_its_result() -> None:
    match = finish(gd.Match(RULES["2 deals, draw"], seed=1), 2)
    assert match.playout(1) is match.playout(2) is match.result


def test_playouts_are_as_known() -> None:
    # A change of what a seed gives is a breaking one.
    ends = {name: gd.Match(gd.Rules.preset(name), seed=1).playout(1) for name in gd.Rules.presets()}
    assert {name: (end.winner, *end.levels) for name, end in ends.items()} == {
        "jiangsu2023": (1, "T", "A"),
        "seed000": (1, "6", "A"),
        "seed001": (1, "8", "A"),
        "seed002": (0, "A", "T"),
        "seed003": (1, "A", "A"),
        "huaian2017": (1, "A", "A"),
        "njupt1006": (1, "T", "A"),
        "opengd": (1, "K", "A"),
        "pagat": (0, "A", "5"),
    }
    assert ends["jiangsu2023"].scores == (8, 18)
    wins = sum(gd.Match(seed=1).playout(seed).winner == 0 for seed in range(3000))
    assert wins == 1475


def test_no_end_in_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    match = gd.Match(seed=1)
    monkeypatch.setattr(ending, "MOST_DEALS", 1)
    with pytest.raises(RuntimeError, match="nobody has won after 1 more deals"):
        match.playout(7)


@pytest.mark.parametrize("seed", [-1, 2**64, "1", None, True])
def test_seeds_that_there_are_not(seed: Any) -> None:
    for match in (gd.Match(seed=1), finish(gd.Match(RULES["2 deals, draw"], seed=1), 2)):
        with pytest.raises(ValueError, match="seed="):
            match.playout(seed)


# --- The parts ---


def test_who_holds_a_card() -> None:
    rng = random.Random(1)
    for seed in range(20):
        hands, level = gd.deal_hands(seed), rng.choice(LEVELS)
        for number in range(108):
            card = gd.CARDS[number // 2]
            found = turned_up(hands, level, number)
            if card in ("SB", "HR", "H" + level):
                assert found is None
                continue
            holders = [seat for seat in range(4) for _ in range(hands[seat].count(card))]
            assert found == (holders[number % 2], card)


def test_rounds_play_deal_after_deal() -> None:
    # Rules under which few matches are won: these have more deals than are played in one go.
    rules = gd.Rules(
        win_at_ace="double", ace_failures=(1, "any", "2"), steps=(1, 1, 1), streaks=True
    )
    state = gd.State.deal("2", 3)
    for seed, deals in ((168, 403), (467, 397), (555, 427)):
        one, whole, parts = (Rounds(seed, rules, gd.Standing()) for _ in range(3))
        for rounds in (one, whole, parts):
            rounds.finish(state)
            assert rounds.standing["deals"] == 1
            assert set(rounds.standing["levels"]) == {"2", "3"}
        whole.go_on(5000)
        assert known(whole.standing).is_over
        assert whole.standing["deals"] == deals
        for number in range(2, deals + 1):
            one.go_on(1)
            assert one.standing["deals"] == number
        assert one.standing == whole.standing
        parts.go_on(256)
        parts.go_on(5000)
        parts.go_on(1)
        assert parts.standing == whole.standing


def test_a_state_and_an_exchange_stay_as_they_are() -> None:
    state = gd.State.deal("5", 3)
    exchange = Exchange(state.hands, (0, 2, 1, 3), "5", gd.Rules())
    before = [str(state), exchange.hands, exchange.stage, exchange.choices]
    standing = gd.Standing(levels=("5", "2"), declarers=0)
    first = []
    for play in ("finish", "finish_after", "first_out"):
        rounds = Rounds(1, gd.Rules(), standing)
        first.append(getattr(rounds, play)(exchange if play == "finish_after" else state))
    assert first[:2] == [None, None]
    assert first[2] in range(4)
    assert [str(state), exchange.hands, exchange.stage, exchange.choices] == before
    for play in ("finish", "finish_after"):
        with pytest.raises(TypeError):
            getattr(Rounds(1, gd.Rules(), standing), play)(None)
