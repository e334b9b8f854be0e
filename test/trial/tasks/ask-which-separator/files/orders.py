ORDERS = [
    {"number": 1, "name": "Tea, green", "amount": "4.50"},
    {"number": 2, "name": "Cups", "amount": "12.00"},
]
