set -e
printf "clean\nsort\n" | diff - unused.txt
grep -q ask_subagent .trial/calls.txt || { echo "no subagent was asked"; exit 1; }
