import sqlite3

data = sqlite3.connect(":memory:")
data.executescript(open("schema.sql").read())
data.executemany("INSERT INTO customer VALUES (?, ?)", [(1, "Ada"), (2, "Bo"), (3, "Cy"), (4, "Ada"), (5, "Al")])
data.executemany("INSERT INTO purchase VALUES (?, ?, ?, ?)", [(1, 1, 500, 0), (2, 1, 300, 1), (3, 2, 500, 0), (4, 4, 200, 0), (5, 5, 900, 1)])
rows = [tuple(row[:2]) for row in data.execute(open("best.sql").read())]
assert rows == [("Ada", 500), ("Bo", 500), ("Ada", 200), ("Al", 0), ("Cy", 0)], rows
