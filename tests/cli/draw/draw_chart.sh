# Charts from CSV as text and as SVG: series, whiskers, cut axes, hostile texts, mistakes.
. "$SOURCE/tests/support/shell/lib.sh"
cat > bleu.csv <<'CSV'
system,valid,test,"valid, error",error
plain,33.10,32.41,0.31,0.4
"depth, relative",34.1,33.20,0.18,
"<""x""&>",-,32.1,,0.2
CSV
cat > length.csv <<'CSV'
length,system,BLEU
10,plain,36.2
30,plain,31.7
20,plain,34.1
10,relative,36.4
30,relative,33
CSV
printf 'when,loss\nearly,3\nlate,-1.5\n' > losses.csv
try draw chart -i bleu.csv -x system -y valid,test
try draw chart -i bleu.csv -x system -y test -e error --title 'Multi30k' --from 30 --ascii -w 60
try draw chart -i losses.csv -x when -y loss -w 60
try draw chart -i length.csv -t lines -x length -y BLEU -s system -w 60
try draw chart -i losses.csv -t lines -x when -y loss -w 60
try draw chart -i bleu.csv -x system -y 'valid, error' -f svg
try draw chart -i length.csv -t lines -x length -y BLEU -s system -o l.svg
grep '<desc>' l.svg
echo 'all that tells series apart:'
grep -c 'stroke-dasharray' l.svg
"$DRAGOMAN" draw chart -q -i bleu.csv -x system -y valid,test -e error,error -f svg > b.svg
grep -c 'url(#hatch-1)' b.svg
grep -c 'prefers-color-scheme' b.svg
if command -v xmllint > /dev/null; then
    xmllint --noout b.svg l.svg || echo 'not well-formed'
fi
echo 'many points are thinned:'
awk 'BEGIN { print "x,y"; for (i = 0; i < 100000; i++) print i "," i * 7919 % 10007 }' > many.csv
"$DRAGOMAN" draw chart -i many.csv -t lines -x x -y y -o many.svg
test "$(wc -c < many.svg)" -lt 60000 || echo 'not thinned'
echo 'a picture is as large as its longest label:'
label='a label of an axis that is much longer than this axis is, by far, and then goes on'
"$DRAGOMAN" draw chart -i bleu.csv -x system -y test --y-label "$label" -o labels.svg
awk '/<svg/ { sub(/.* height="/, ""); print ($0 + 0 > 450 ? "room" : "cut") }' labels.svg
echo 'mistakes:'
try draw chart -i bleu.csv -x system
try draw chart -i bleu.csv -x sytem -y test
try draw chart -i bleu.csv -x system -y test,tset
try draw chart -i bleu.csv -x system -y test,test
try draw chart -i bleu.csv -x system -y test -e error,error
try draw chart -i bleu.csv -x system -y test --from 32.2
try draw chart -i bleu.csv -x system -y test --from x
try draw chart -i bleu.csv -x test -y system
try draw chart -i bleu.csv -x system -y test -o bleu.csv
try draw chart -i length.csv -x length -y BLEU
try draw chart -i missing.csv -x a -y b
try draw chart -i /dev/null -x a -y b
printf 'a,"b\n' | try draw chart -x a -y b
printf 'day;length\n1;2\n' | try draw chart -x system -y test
printf 'month;BLEU\n1;2\n' | try draw chart -x month -y BLEU
printf 'a,a,b\n1,2,3\n' | try draw chart -x a -y b
printf 'a,b\n1,2\n,3\n' | try draw chart -x a -y b
printf 'a,b\n1,-\n2,\n3,nan\n' | try draw chart -x a -y b
printf 'a,b,e\n1,2,-1\n' | try draw chart -x a -y b -e e
printf 'a,b\n1,2,3\n' | try draw chart -x a -y b
printf 'a,b\n1,1e200\n' | try draw chart -x a -y b
awk 'BEGIN { print "x,y"; for (i = 0; i < 501; i++) print i "," i }' | try draw chart -x x -y y
awk 'BEGIN { print "x,y,s"; for (i = 0; i < 41; i++) print i "," i "," i }' |
    try draw chart -x x -y y -s s
