"""What the benchmarks make of what they measured."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import quantiles


def percentile(values: Sequence[float], hundredths: int) -> float:
    """A percentile, from 1 to 99; 0 of nothing."""
    if len(values) < 2:
        return values[0] if values else 0.0
    return quantiles(values, n=100, method="inclusive")[hundredths - 1]
