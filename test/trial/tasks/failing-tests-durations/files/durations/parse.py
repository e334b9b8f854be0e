"""Reads durations such as "1h 30m" as seconds."""

import re

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
PART = re.compile(r"(\d+)([dhms])")


def parse_duration(text):
    """Returns seconds. Raises ValueError for what is no duration."""
    seconds = 0
    for number, unit in PART.findall(text):
        seconds = int(number) * UNITS[unit]
    return seconds
