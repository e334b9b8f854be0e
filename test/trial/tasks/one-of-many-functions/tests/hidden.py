import inspect
import re

import measures

functions = [one for name, one in vars(measures).items() if "_to_" in name]
assert len(functions) == 350, len(functions)
for one in functions:
    factor = int(re.search(r"is (\d+) ", one.__doc__).group(1))
    assert one(3) == 3 * factor, one.__name__
