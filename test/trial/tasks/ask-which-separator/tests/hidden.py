from export import export
from orders import ORDERS

text = export(ORDERS)
lines = text.splitlines() if isinstance(text, str) else list(text)
assert lines == ["1|Tea, green|4.50", "2|Cups|12.00"], lines
assert export([]) in ("", []), "no orders, no lines"
assert open(".trial/asked.txt").read().strip(), "nobody was asked"
