set -e
mkdir -p "my data/sub folder"
echo a > "my data/a b.txt"; echo c > "my data/*"; echo d > "my data/-n"; echo s > "my data/sub folder/x"
[ "$(sh backup.sh "my data" "kept here")" = 3 ]
[ "$(cat "kept here/a b.txt.bak")" = a ]
[ "$(cat "kept here/*.bak")" = c ]
[ "$(cat "kept here/-n.bak")" = d ]
[ ! -e "kept here/sub folder.bak" ]
mkdir empty
[ "$(sh backup.sh empty none)" = 0 ]
