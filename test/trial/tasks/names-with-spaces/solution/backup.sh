#!/bin/sh
# usage: backup.sh FOLDER TARGET
# Copies every file of FOLDER (not of folders in it) to TARGET with .bak behind its name, and says how many.
folder=$1
target=$2
count=0
mkdir -p -- "$target"
for file in "$folder"/* "$folder"/.[!.]*; do
  [ -f "$file" ] || continue
  cp -- "$file" "$target/${file##*/}.bak"
  count=$((count + 1))
done
echo $count
