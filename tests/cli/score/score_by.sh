# Where systems are good: groups of lines and of words of the reference, for several systems.
. "$SOURCE/tests/support/shell/lib.sh"
printf 'The dog sees A CAT of IBM .\nDogs see the cats .\nThe McX is 3 日本 .\n' > ref
printf 'The dog saw a CAT of IBM .\nDogs see the cat .\nThe McX is 3 日本 .\n' > a
printf 'the cat\nThe the cats . .\n\n' > b
printf 'the dog the cat\nthe dog\n' > train
printf '1\tThe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t3\tnsubj:x\t_\t_\n3\tsees\t_\tVERB\t_\t_\t0\troot\t_\t_\n' > trees
printf '4\tA\t_\tDET\t_\t_\t5\tdet\t_\t_\n5\tCAT\t_\tNOUN\t_\t_\t3\tobj\t_\t_\n6\tof\t_\tADP\t_\t_\t7\tcase\t_\t_\n' >> trees
printf '7\tIBM\t_\tPROPN\t_\t_\t5\tnmod\t_\t_\n8\t.\t_\tPUNCT\t_\t_\t3\tpunct\t_\t_\n\n' >> trees
printf '1\tDogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsee\t_\tVERB\t_\t_\t0\troot\t_\t_\n3\tthe\t_\tDET\t_\t_\t4\tdet\t_\t_\n' >> trees
printf '4-5\tcats .\t_\t_\t_\t_\t_\t_\t_\t_\n4\tcats\t_\tNOUN\t_\t_\t2\tobj\t_\t_\n5\t.\t_\tPUNCT\t_\t_\t4\tpunct\t_\t_\n\n' >> trees
printf '1\tThe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tMcX\t_\tPROPN\t_\t_\t0\troot\t_\t_\n3\tis\t_\tAUX\t_\t_\t2\tcop\t_\t_\n' >> trees
printf '4\t3\t_\tNUM\t_\t_\t2\tdep\t_\t_\n5\t日本\t_\tNOUN\t_\t_\t2\tdep\t_\t_\n6\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n' >> trees
try score ref --by case -i a b
try score ref --by case -i a b -f csv -w 3
try score ref --by frequency --by-text train -lc -i a b ref
for by in relation distance depth; do
    try score ref --by $by --by-trees trees -i a b -tok none
done
try score ref --by length -i a ref -m bleu chrf -w 2
# A group of lines has the score of its lines alone.
cat ref > long && awk '{ print $0, $0 }' ref >> long
sed 's/CAT/dog/; s/is/was/' long > other
awk 'NF <= 10' long > part && awk 'NF <= 10' other | "$DRAGOMAN" score part -b -w 6 > alone
"$DRAGOMAN" score long --by length -i other -w 6 | awk '$1 == "1-10" { print $3 }' | cmp - alone && echo same
# The reference itself has all its words, be they cut otherwise than its trees are.
for by in case frequency relation distance depth; do
    case $by in frequency) with='--by-text train' ;; case) with= ;; *) with='--by-trees trees' ;; esac
    "$DRAGOMAN" score ref --by $by $with -i ref 2>> log | awk -v by=$by 'NR > 2 && $3 != "100.0" && $2 > 0 { print by, $0 }'
done
sort -u log
"$DRAGOMAN" score ref --by case -i a b -f csv > by.csv &&
    "$DRAGOMAN" draw chart -i by.csv -x case -y value -s system --ascii --width 60
echo 'bad input:'
try score ref --by case -lc -i a
try score ref --by case -m bleu -i a
try score ref --by frequency -i a
try score ref --by case --by-text train -i a
try score ref --by relation -i a
try score ref --by length --by-trees trees -i a
try score ref --by shape -i a
try score ref ref --by case -i a
try score ref --by case < a
try score ref -f csv -i a
try score ref --by-trees trees -i a
head -n 2 a > short
try score ref --by case -i short
try score ref --by length -i short
try score short --by case -i a
try score a --by relation --by-trees trees -i a
try score short --by relation --by-trees trees -i a
cat ref ref > twice
head -n 2 ref > fewer
try score fewer --by relation --by-trees trees -i a
try score twice --by relation --by-trees trees -i a
: > empty
try score empty --by case -i empty
try score ref --by frequency --by-text empty -i a
