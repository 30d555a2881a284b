"""Random choices that stay the same in every Python version."""

import random
from typing import List, Sequence, Tuple, TypeVar

T = TypeVar("T")


class Chooser:
    """Draws from `Random.random()` alone: Python promises that sequence for a given integer seed,
    while `choice`, `shuffle` and `sample` have changed between versions."""

    def __init__(self, seed: int) -> None:
        self.random_ = random.Random(seed)

    def below(self, limit: int) -> int:
        return int(self.random_.random() * limit)

    def between(self, low: int, high: int) -> int:
        """Both ends included."""
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        return self.random_.random() < probability

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[Tuple[int, T]]) -> T:
        """Whole-number weights, so that no rounding decides."""
        ticket = self.below(sum(weight for weight, _ in items))
        for weight, item in items:
            ticket -= weight
            if ticket < 0:
                return item
        raise AssertionError("weights are positive")

    def shuffled(self, items: Sequence[T]) -> List[T]:
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result
