"""The options of playouts, as the command line gives them: what cannot be used ends the command."""

from __future__ import annotations

from refbot.cli.output import refuse
from refbot.compile.devices import DeviceError, on_gpu
from refbot.options import Options, UnacceptableOptionError, UnknownPolicyError, features_of


def options_of(
    policy: str,
    mercy: int | None,
    early_score: float | None,
    cutoff: int | None,
    *,
    cap_from_root: bool = False,
    check: bool = False,
) -> Options:
    """The options of the playouts. Ends the command if one of them, or the policy, is not acceptable."""
    try:
        options = Options(mercy, early_score, check, cutoff, cap_from_root)
        features_of(policy, options)
    except (UnacceptableOptionError, UnknownPolicyError) as error:
        refuse(str(error))
    return options


def check_device(device: str, size: int, features: int, *, faulty: bool = False) -> None:
    """End the command if the device cannot play."""
    try:
        on_gpu(device, size, features, faulty=faulty)
    except DeviceError as error:
        refuse(str(error))


def check_mode(mode: str) -> None:
    """End the command if this is no mode of dynamic komi."""
    from refbot.search.dynamic_komi import UnknownModeError, parsed

    try:
        parsed(mode)
    except UnknownModeError as error:
        refuse(str(error))
