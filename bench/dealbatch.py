"""A learner's loops over DealBatch to time, with choices drawn by numpy, and their answers."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

import guandan as gd

N = 1024
SEED = 1
STEPS = 20  # of one call
DECISIONS = N * STEPS
STARTS = np.arange(N + 1) * len(gd.ACTIONS)


@cache
def begun() -> gd.DealBatch:
    """Deals of all lengths: each place has played for 200 steps."""
    batch = gd.DealBatch(N, seed=SEED)
    by_lists(batch, 200)
    return batch


def drawn(rng: np.random.Generator, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Draw a place of each list."""
    return (rng.random(N) * (offsets[1:] - offsets[:-1])).astype(np.int64)


def by_lists(batch: gd.DealBatch, steps: int = STEPS) -> int:
    """Play by places in the lists of moves; return how many deals have ended."""
    rng = np.random.default_rng(SEED)
    ended = 0
    for _ in range(steps):
        batch.step(drawn(rng, batch.legal().offsets))
        ended += np.count_nonzero(batch.ended)
    return ended


def by_ids(batch: gd.DealBatch) -> int:
    """Play by ids of actions."""
    rng = np.random.default_rng(SEED)
    ended = 0
    for _ in range(STEPS):
        ids, offsets = batch.actions()
        batch.step_ids(ids[offsets[:-1] + drawn(rng, offsets)])
        ended += np.count_nonzero(batch.ended)
    return ended


def by_masks(batch: gd.DealBatch) -> int:
    """Play by flags of masks, which numpy finds eight at a time."""
    rng = np.random.default_rng(SEED)
    masks = np.empty((N, len(gd.ACTIONS)), np.bool_)
    ended = 0
    for _ in range(STEPS):
        words = batch.masks(masks).reshape(-1).view(np.uint64)
        held = np.flatnonzero(words != 0)
        flags = np.flatnonzero(words[held].view(np.bool_))
        ids = 8 * held[flags >> 3] + (flags & 7)
        offsets = np.searchsorted(ids, STARTS)
        batch.step_ids(ids[offsets[:-1] + drawn(rng, offsets)] - STARTS[:-1])
        ended += np.count_nonzero(batch.ended)
    return ended


# Masks flag what the ids name, so the same is drawn; lists have more moves than actions.
ENDED = {by_lists: 443, by_ids: 464, by_masks: 464}
