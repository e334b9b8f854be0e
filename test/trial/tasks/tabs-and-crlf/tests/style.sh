# Every line of stack.c ends in CRLF, and none is indented by a space.
cr=$(printf '\r')
[ "$(grep -c "" stack.c)" = "$(grep -c "$cr\$" stack.c)" ] || { echo "a line of stack.c does not end in CRLF"; exit 1; }
! grep -n "^ " stack.c
