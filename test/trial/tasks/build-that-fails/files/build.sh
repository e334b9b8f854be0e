#!/bin/sh
# Puts the pages of content/ into site/, with the header in front.
set -e
mkdir site
for page in content/*.txt; do
  name=$(basename "$page" .txt)
  sh wrap.sh --titel "$name" < "$page" > "site/$name.html"
done
echo "$(ls site | wc -l) pages"
