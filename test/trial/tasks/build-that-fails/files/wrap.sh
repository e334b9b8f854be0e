#!/bin/sh
# usage: wrap.sh --title NAME < text > html
[ "$1" = --title ] && [ -n "$2" ] || { echo "usage: wrap.sh --title NAME" >&2; exit 64; }
printf '<title>%s</title>\n<pre>\n' "$2"
sed 's/&/\&amp;/g; s/</\&lt;/g'
printf '</pre>\n'
