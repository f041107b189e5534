"""Print the speed table: every figure of the README in one go.

Run as `python bench/table.py`. Where a C++ compiler is at hand, bench/limit.cpp, a plain product
enumerator, is built and timed before, amid and after, and its hands per second are the unit Y of
all ratios. Figures are medians of processor time on one core, so that other load does not count.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import dealbatch
import numpy as np
import tree
from workload import HERE, KEYS, MASKED, loops, workload

import guandan as gd

HANDS = 4096


Row = tuple[Callable[[], object], int]  # a call, and how many things it does


def sample(call: Callable[[], object], things: int) -> float:
    """Things done per second, over at least 30 ms of whole calls."""
    start, calls = time.process_time(), 0
    while (passed := time.process_time() - start) < 0.03:
        call()
        calls += 1
    return calls * things / passed


def build_limit(folder: Path) -> Path | None:
    """The compiled limit.cpp, or None without a compiler."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        return None
    program = folder / "limit"
    flags = ["-O3", "-march=native", "-std=c++17"]
    subprocess.run([compiler, *flags, HERE / "limit.cpp", "-o", program], check=True)
    return program


def sample_limit(program: Path) -> float:
    """Hands per second of limit.cpp, over its five rounds of all hands 49 times."""
    hands = (HERE / "hands4096.txt").read_text("utf-8")
    before = os.times().children_user
    printed = subprocess.run(
        [program], input=hands, capture_output=True, text=True, check=True
    ).stdout
    assert printed.count("moves/hand 761.5") == 5
    return 5 * 49 * HANDS / (os.times().children_user - before)


def time_all(
    rows: dict[str, Row], rounds: int, limit: Path | None
) -> tuple[dict[str, float], float]:
    """The median of every row, and of limit.cpp (0 without it), taken in turns."""
    samples: dict[str, list[float]] = {name: [] for name in rows}
    yardstick = [0.0]
    for done in range(rounds):
        if limit and done in (0, rounds // 2):
            yardstick.append(sample_limit(limit))
        for name, row in rows.items():
            samples[name].append(sample(*row))
    if limit:
        yardstick = [*yardstick[1:], sample_limit(limit)]
    medians = {name: statistics.median(figures) for name, figures in samples.items()}
    return medians, statistics.median(yardstick)


def kernel_rows() -> dict[str, Row]:
    """The kernel's rows: calls that go through all hands once."""
    calls: dict[str, Callable[[], object]] = {}
    for size in (27, 12):
        leads = workload("leads", size).arrays
        calls[f"leads, {size} cards"] = lambda leads=leads: loops().list_moves(*leads)
        calls[f"count leads, {size} cards"] = lambda leads=leads: loops().count_moves(*leads)
        calls[f"count and n-th lead, {size} cards"] = lambda leads=leads: loops().pick_moves(
            *leads, 7
        )
        calls[f"mask of the actions of leads, {size} cards"] = lambda leads=leads: (
            loops().mask_actions(*leads)
        )
        for kind in KEYS:
            replies = workload(kind, size).arrays
            name = f"replies to a {kind.replace('_', ' ')}, {size} cards"
            calls[name] = lambda replies=replies: loops().list_moves(*replies)
    return {name: (call, HANDS) for name, call in calls.items()}


def python_rows() -> dict[str, Row]:
    """The rows of calls from Python."""
    rows: dict[str, Row] = {}
    for size in (27, 12):
        work = workload("leads", size)
        hands = list(zip(work.hands, work.level_texts, strict=True))

        def list_all(hands: list[tuple[gd.Hand, str]] = hands) -> None:
            legal_moves = gd.legal_moves
            for hand, level in hands:
                legal_moves(hand, level=level)

        rows[f"legal_moves, {size} cards"] = list_all, HANDS
    work = workload("leads", 27)
    out = np.empty((1 << 18, 2), np.uint64)
    masks = np.empty((64, len(gd.ACTIONS)), np.bool_)
    parts = [slice(start, start + 64) for start in range(0, HANDS, 64)]
    calls = [(work.planes[part], work.levels[part]) for part in parts]

    def list_batches() -> None:
        for planes, levels in calls:
            gd.legal_moves_batch(planes, levels, out=out)

    def mask_batches() -> None:
        for planes, levels in calls:
            gd.action_masks(planes, levels, out=masks)

    rows["legal_moves_batch, 64 hands of 27 cards"] = list_batches, HANDS
    rows["action_masks, 64 hands of 27 cards"] = mask_batches, HANDS
    return rows


def tree_rows() -> dict[str, Row]:
    """The rows of deals in play: decisions, sequences counted, pairs and copies per second."""
    deals = tree.deals()
    state = gd.State.parse(tree.OPENING)
    move = state.legal_moves()[tree.MOVE]
    return {
        "decisions of playouts, dealing left out": (
            lambda: gd.playouts(deals, seed=tree.SEED),
            tree.DECISIONS,
        ),
        "sequences of perft(3) of openings": (tree.perft_of_openings, tree.SEQUENCES),
        "moves of a Python loop: legal_moves, push": (tree.play_in_python, tree.PLAYED),
        "State.push and pop of a legal move": (lambda: tree.push_and_pop(state, move), tree.PAIRS),
        "State.copy(history=False)": (lambda: tree.copy(state), tree.PAIRS),
    }


def batch_rows() -> dict[str, Row]:
    """The rows of a learner's loops: decisions per second, numpy's draws included, and features."""
    seen = np.empty((dealbatch.N, 513), np.uint8)
    batch = dealbatch.begun()
    rows: dict[str, Row] = {"features of DealBatch.observe": (lambda: batch.observe(seen), batch.n)}
    plays = {"lists": dealbatch.by_lists, "ids": dealbatch.by_ids, "masks": dealbatch.by_masks}
    for name, play in plays.items():
        played = batch.copy()  # goes on from call to call
        rows[f"decisions of DealBatch, by {name}"] = (
            lambda play=play, played=played: play(played),
            dealbatch.DECISIONS,
        )
    return rows


def check_answers() -> None:
    """Hold every workload to its answer."""
    for kind in ("leads", *KEYS):
        for size in (27, 12):
            work = workload(kind, size)
            assert loops().list_moves(*work.arrays) == work.moves
            assert loops().count_moves(*work.arrays) == work.moves
    for size, flags in MASKED.items():
        assert loops().mask_actions(*workload("leads", size).arrays) == flags
    assert gd.playouts(tree.deals(), seed=tree.SEED).decisions.sum() == tree.DECISIONS
    assert tree.perft_of_openings() == tree.SEQUENCES
    assert tree.play_in_python() == tree.PLAYED
    for play, ended in dealbatch.ENDED.items():
        assert play(dealbatch.begun().copy()) == ended


def main() -> None:
    """Time everything and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each row (15)")
    rounds = parser.parse_args().rounds
    check_answers()
    work = workload("leads", 27)
    lengths = np.diff(gd.legal_moves_batch(work.planes, work.levels).offsets).astype(np.uint64)
    rows = kernel_rows() | python_rows() | tree_rows() | batch_rows()
    rows["memset of the leads' bytes, 27 cards"] = lambda: loops().fill_memory(lengths), HANDS
    with tempfile.TemporaryDirectory() as folder:
        speeds, unit = time_all(rows, rounds, build_limit(Path(folder)))
    print(f"{'':42}{'per second':>12}{'ns':>9}{'ratio to Y':>12}")
    if unit:
        print(f"{'Y: limit.cpp, leads, 27 cards':42}{unit:12,.0f}{1e9 / unit:9.1f}{1:12.2f}")
    for name, speed in speeds.items():
        ratio = f"{speed / unit:12.2f}" if unit else ""
        print(f"{name:42}{speed:12,.0f}{1e9 / speed:9.1f}{ratio}")
    leads = speeds["leads, 27 cards"]
    batch = speeds["legal_moves_batch, 64 hands of 27 cards"]
    print(f"leads, 27 cards: {leads * work.moves / HANDS / 1e6:.0f} million moves a second")
    print(f"legal_moves_batch: {batch / leads:.2f} of the kernel")


if __name__ == "__main__":
    main()
