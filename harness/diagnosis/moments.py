"""Moments of playouts at a probe, as a right bot or a fault predicts them: means and variances.

They are of (length, result). `observations` compares them with the searches of a bot. A probe is a position
that is searched.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from harness.check.procedures.search import Series
from harness.diagnosis.search_statistics import Statistics, as_rows, made_for_each_different
from harness.diagnosis.signatures import RIGHT_SEARCHES, SEARCHES, Signature
from harness.stats.diagnosis import Moments
from refbot.deviations.faults import FAULTS

BEYOND = 2.0
"""A fault adds up searches if a recorded mean length is more than this factor times a right bot's greatest.
Chosen: far from chance, and a fault that reports one earlier search does not reach it."""

TURNED = 2.5
"""Largest factor between the number of equal searches and the one on record: turned boards hide equal
searches from the record. Computed: `seed-seldom` makes four alike, and on turned boards 1.6."""

PRIOR_SEARCHES = 4.0
"""Weight of a right bot's variance in the variance or correlation taken from a record, in searches. Chosen: a
sixth of the searches that are recorded for a fault."""


def predict_moments(
    signature: Signature, series: Series, right: Moments, unseen: Moments, most: float, *, wrong_length: bool
) -> Moments | None:
    """Return the moments that a fault predicts for a series of searches; None if as a right bot's.

    right          a right bot's moments at the probe
    unseen         the same, with the error of a fault's record (`right_within_error`)
    most           greatest mean length that the fault may report, if it depends on the searches before
    wrong_length   the mean length of the series deviates
    """
    fault, recorded = FAULTS[signature.fault], signature.probes.get(series.probe.id)
    if signature.repeats > 1.0:  # searches share their random numbers: the mean is right, but varies more
        alike = made_for_each_different([series])
        alike = max(signature.repeats, min(alike, TURNED * signature.repeats))
        repeated = np.array(right.covariance) * min(alike, len(series.searches))
        return replace(right, covariance=as_rows(repeated))
    if fault.counts_earlier_searches:
        return _with_earlier(right, recorded, most, wrong=wrong_length)
    if recorded is None or not recorded.mean:
        return unseen if fault.where == "playout" and signature.has_means else None
    scale = recorded.playouts / series.playouts if fault.nodes_per_search else 1.0
    return fault_moments(recorded, right, scale)


def adds_up(signature: Signature, right: Signature) -> bool:
    """Return True if a fault reports sums of searches: it depends on earlier ones, and a length is BEYOND."""
    own, longest = (
        max((one.mean[0] for one in record.probes.values() if one.mean), default=0.0)
        for record in (signature, right)
    )
    return FAULTS[signature.fault].counts_earlier_searches and own > BEYOND * longest


def right_within_error(right: Moments, recorded: Statistics) -> Moments:
    """Return a right bot's moments, with the error of a fault's record that shows no difference from them.

    A fault that changes the means of other probes may change these by as much as this error.

    recorded   a right bot's record at the probe, of RIGHT_SEARCHES searches; a fault's record has SEARCHES
    """
    playouts = recorded.playouts * recorded.searches
    error = np.array(right.covariance) * (1.0 + RIGHT_SEARCHES / SEARCHES) / playouts
    return replace(right, se_covariance=as_rows(error))


def _with_earlier(right: Moments, recorded: Statistics | None, most: float, *, wrong: bool) -> Moments | None:
    """Return the moments of a fault whose length depends on the searches before; None if as a right bot's.

    The bot did not search in the recorded order, so its wrong length may be any number up to `most`. A right
    length contradicts the fault only if the recorded length is above `most`: after a search of the same
    position, the length is right.

    recorded   the fault's record at the probe, if any
    most       greatest mean length that the fault can report
    wrong      the mean length at this probe deviates
    """
    mean = recorded.mean if recorded is not None and recorded.mean else right.mean
    if mean[0] <= most and not wrong:
        return None
    error = ((max(mean[0], most) ** 2, 0.0), (0.0, 0.0))
    return replace(right, mean=(mean[0], right.mean[1]), se_covariance=error)


def conforming_moments(series: Series, recorded: Statistics) -> Moments:
    """Return the moments of a right bot at a probe: expected means and variances of (length, result).

    Their correlation comes from `recorded`, a right bot's searches at this probe.
    """
    expected = series.probe.expected
    sds = np.array([expected.sd_length, expected.sd_result])
    correlation = _correlation(recorded)
    both = float(sds[0] * sds[1] * correlation)
    return Moments(
        (expected.mean_length, expected.mean_result),
        ((float(sds[0]) ** 2, both), (both, float(sds[1]) ** 2)),
        ((expected.se_length**2, 0.0), (0.0, expected.se_result**2)),
    )


def _correlation(recorded: Statistics) -> float:
    """Return the correlation of length and result; the fewer searches, the closer to 0. One of ±1 is exact.

    0 if it is unknown, or if one of the two never varies.
    """
    if not recorded.covariance or recorded.searches < 2:
        return 0.0
    (lengths, both), (_, results) = recorded.covariance
    if lengths <= 0.0 or results <= 0.0:
        return 0.0
    value = both / float(np.sqrt(lengths * results))
    if abs(value) > 0.9999:
        return float(np.sign(value))
    return value * (recorded.searches - 1) / (recorded.searches - 1 + PRIOR_SEARCHES)


def fault_moments(recorded: Statistics, right: Moments, scale: float = 1.0) -> Moments:
    """Return the moments of a fault from its record at a probe; `scale` is a factor on the length.

    right   a right bot's moments: the fewer searches are recorded, the closer is the variance to theirs
    """
    scales = np.array([scale, 1.0])
    own = np.array(recorded.covariance) * np.outer(scales, scales)
    wanted = np.array(right.covariance)
    if recorded.searches < 2:
        own = wanted
    elif own.any():  # a variance of 0 is exact: all playouts are equal
        degrees = recorded.searches - 1
        own = (degrees * own + PRIOR_SEARCHES * wanted) / (degrees + PRIOR_SEARCHES)
    error = own / (recorded.searches * recorded.playouts)
    mean = np.array(recorded.mean) * scales
    return Moments(tuple(map(float, mean)), as_rows(own), as_rows(error))
