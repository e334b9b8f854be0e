"""Writes currencies.py from countries.csv."""

import csv

rows = list(csv.DictReader(open("countries.csv")))
with open("currencies.py", "w") as out:
    out.write("# Written by generate.py. Changes here are lost.\n\nCURRENCIES = {\n")
    for row in sorted(rows, key=lambda row: row["code"]):
        out.write(f'    "{row["code"]}": "{row["currency"]}",\n')
    out.write("}\n")
