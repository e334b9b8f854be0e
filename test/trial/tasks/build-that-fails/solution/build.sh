#!/bin/sh
# Puts the pages of content/ into site/, with the header in front.
set -e
mkdir -p site
for page in content/*.txt; do
  name=$(basename "$page" .txt)
  sh wrap.sh --title "$name" < "$page" > "site/$name.html"
done
echo "$(ls site | wc -l) pages"
