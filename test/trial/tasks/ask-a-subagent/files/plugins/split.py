LIMIT = 200


def run(rows):
    return [part for row in rows for part in row.split()][:LIMIT]
