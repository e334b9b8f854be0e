import json

order = [colour.lower() for colour in json.load(open("order.json"))]
assert order == ["blue", "yellow", "green", "red"] or order == ["blue", "gold", "green", "red"], order
