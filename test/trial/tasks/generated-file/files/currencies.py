# Written by generate.py. Changes here are lost.

CURRENCIES = {
    "CH": "CHF",
    "DE": "EUR",
    "JP": "JPY",
    "SE": "EUR",
}
