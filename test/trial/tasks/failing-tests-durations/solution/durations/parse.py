"""Reads durations such as "1h 30m" as seconds."""

import re

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
PART = re.compile(r"(\d+)([dhms])")


def parse_duration(text):
    """Returns seconds. Raises ValueError for what is no duration."""
    if not re.fullmatch(r"\s*(\d+[dhms]\s*)+", text):
        raise ValueError(f"no duration: {text!r}")
    return sum(int(number) * UNITS[unit] for number, unit in PART.findall(text))
