set -e
given() { printf 'a\n\n \nb\n'; }
[ "$(given | /tmp/show -s)" = "$(printf 'a\n \nb')" ]
[ "$(given | /tmp/show -s -n)" = "$(printf '1 a\n3  \n4 b')" ]
[ "$(given | /tmp/show -n)" = "$(printf '1 a\n2 \n3  \n4 b')" ]
if /tmp/show -x < /dev/null 2> usage.txt; then exit 1; fi
grep -q -- '-s' usage.txt
grep -q -- '-s' README.md
