LIMIT = 700


def run(rows):
    return sorted(rows)
