from .parse import parse_duration
from .text import format_duration

__all__ = ["parse_duration", "format_duration"]
