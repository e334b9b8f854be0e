import json

print(", ".join(json.load(open("order.json"))))
