from currencies import CURRENCIES


def currency(country):
    return CURRENCIES.get(country, "EUR")
