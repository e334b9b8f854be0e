set -e
grep -q 'src/main.rs' .trial/plan.md || { echo "the plan does not name src/main.rs"; exit 1; }
grep -qE 'src/(report|counter).rs' .trial/plan.md || { echo "the plan does not say where words are left out"; exit 1; }
[ "$(grep -cE '^ *(#+ *)?(\*\*)?(Step )?[0-9]+' .trial/plan.md)" -ge 2 ] || { echo "no numbered steps"; exit 1; }
