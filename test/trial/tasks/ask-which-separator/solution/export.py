"""Writes orders as text for another program."""


def export(orders):
    """Returns one line for each order: its number, name and amount."""
    return "".join(f"{one['number']}|{one['name']}|{one['amount']}\n" for one in orders)
