import sqlite3

data = sqlite3.connect(":memory:")
data.executescript(open("schema.sql").read())
print(data.execute(open("best.sql").read()).fetchall())
