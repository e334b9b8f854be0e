"""Prints the day's orders, largest first."""

import json
import sys


def largest_first(orders):
    return sorted(orders, key=lambda order: order["totalCents"], reverse=True)


if __name__ == "__main__":
    for order in largest_first(json.load(sys.stdin)):
        print(f'{order["id"]}: {order["totalCents"] / 100:.2f} EUR')
