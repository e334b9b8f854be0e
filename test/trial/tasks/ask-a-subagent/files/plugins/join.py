LIMIT = 1000


def run(rows):
    return [" ".join(rows[:LIMIT])]
