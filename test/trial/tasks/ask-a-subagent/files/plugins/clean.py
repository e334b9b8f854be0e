LIMIT = 50


def run(rows):
    return [row.strip() for row in rows if row.strip()]
