# Maps of attention as text and as SVG: trees, wide characters, maps too wide, mistakes.
. "$SOURCE/tests/support/shell/lib.sh"
cat > a.json <<JSON
{"line":1,"source":{"words":["<猫&>","が","eats"],"pieces":["<猫@@","&>","が","eats","</s>"],"word_of":[0,0,1,2,-1],"heads":[3,1,0]},"target":{"words":["é"],"pieces":["é","</s>"],"word_of":[0,-1]},"attention":[{"kind":"encoder","layer":1,"head":0,"weights":[[1,0,0,0,0],[0,0.5,0.25,0.25,0],[0.1,0.2,0.3,0.3,0.1],[0,0,0,0.04,0.96],[0,0,0,0,1]]},{"kind":"decoder","layer":1,"head":"mean","weights":[[1,0],[0.6,0.4]]},{"kind":"cross","layer":2,"head":3,"weights":[[0.05,0.05,0.1,0.7,0.1],[0,0,0,0,1]]}]}
{"line":2,"source":{"words":[],"pieces":[],"word_of":[]},"target":{"words":[],"pieces":[],"word_of":[]},"attention":[]}
JSON
try draw attention -i a.json
try draw attention -i a.json -k encoder --ascii
try draw attention -i a.json -k cross --pieces
try draw attention -i a.json -k cross -f svg
try draw attention -i a.json -k encoder -o a.svg
head -n 1 a.svg
grep -c '</title></rect>' a.svg
echo 'in a grid:'
sed 's/"layer":2,"head":3/"layer":1,"head":0/; s/"layer":1,"head":"mean"/"layer":12,"head":5/' a.json > b.json
try draw attention -i b.json -g -f svg -o grid.svg
grep -c 'layer [0-9]*, head' grid.svg
grep 'rotate' grid.svg
if command -v xmllint > /dev/null; then
    xmllint --noout grid.svg a.svg || echo 'not well-formed'
fi
try draw attention -i a.json -g
echo 'too wide:'
awk 'BEGIN {
    printf "{\"line\":7,\"source\":{\"words\":["
    for (i = 0; i < 30; i++) printf "%s\"word%d\"", i ? "," : "", i
    printf "],\"pieces\":["
    for (i = 0; i < 30; i++) printf "\"word%d\",", i
    printf "\"</s>\"],\"word_of\":["
    for (i = 0; i < 30; i++) printf "%d,", i
    printf "-1]},\"target\":{\"words\":[\"w\"],\"pieces\":[\"w\",\"</s>\"],\"word_of\":[0,-1]},"
    printf "\"attention\":[{\"kind\":\"cross\",\"layer\":1,\"head\":0,\"weights\":[["
    for (i = 0; i < 30; i++) printf "%g,", (i % 7 == 3) ? 0.1 + i / 200 : 0
    printf "0.17],["
    for (i = 0; i < 30; i++) printf "0,"
    print "1]]}]}"
}' > wide.json
try draw attention -i wide.json
echo 'without ends:'
cat > open.json <<JSON
{"line":1,"source":{"words":["ab","c"],"pieces":["a@@","b","c"],"word_of":[0,0,1]},"target":{"words":["x","yz"],"pieces":["x","y@@","z"],"word_of":[0,1,1]},"attention":[{"kind":"decoder","layer":1,"head":0,"weights":[[1,0,0],[0.6,0.4,0],[0.2,0.3,0.5]]},{"kind":"cross","layer":1,"head":0,"weights":[[0.1,0.2,0.7],[0,0,1],[1,0,0]]}]}
JSON
try draw attention -i open.json
try draw attention -i open.json --pieces
echo 'mistakes:'
try draw attention -i a.json -n 3
try draw attention -i a.json -l 9
try draw attention -i a.json --head max
try draw attention -i a.json -k other
try draw attention -i missing.json
try draw attention -i a.json -o a.json
head -c 500 a.json > cut.json
try draw attention -i cut.json
sed 's/0\.25/2.5/' a.json | try draw attention
sed 's/\[3,1,0\]/[3,1,2]/' a.json | try draw attention
sed 's/"target"/"goal"/' a.json | try draw attention
sed 's/"layer":1/"layer":1e9/' a.json | try draw attention
echo '{}' | try draw attention
try draw attention -i /dev/null
