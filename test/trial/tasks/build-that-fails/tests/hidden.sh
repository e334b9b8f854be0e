set -e
rm -rf site
sh build.sh
sh build.sh | grep -q '2 pages'
grep -q '<title>home</title>' site/home.html
grep -q 'Tea &amp; cups' site/home.html
grep -q 'Tea &lt; 5' site/prices.html
rm -rf site content/prices.txt
sh build.sh | grep -q '1 pages'
if sh wrap.sh --titel x < /dev/null; then echo "wrap.sh takes anything now"; exit 1; fi
