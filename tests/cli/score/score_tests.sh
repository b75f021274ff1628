# How sure scores are: --confidence, --paired-ar; and tables of LaTeX. The numbers are those of sacreBLEU 2.6.0 with NumPy 2:
# of `good` it gives BLEU 93.70788503 +- 4.76486278, chrF2 95.60057 +- 3.3167076, TER 3.8262823 +- 2.8846154.
. "$SOURCE/tests/support/shell/lib.sh"
awk 'BEGIN {
    for (i = 1; i <= 60; i++) {
        right = "the " i " . dog sees a cat in the garden of house " (i % 7)
        wrong = "one " i " . dog saw some cat at a garden of house " (i % 7)
        print right > "ref"
        print (i % 10 ? right : wrong) > "good"
        print (i % 3 ? wrong : right) > "bad"
        print (i % 10 && i != 5 ? right : wrong) > "other"
        print (i % 8 != 1 ? right : wrong) > "near"
    }
}'
cp bad 'a_b&c'
try score ref -i good --confidence -m bleu chrf ter -w 7
try score ref -i good -ci -cin 50 -sh
try score ref -i good -ci -b -w 4 -m bleu chrf
try score ref -i good --confidence -f json -w 4 --seed 7
try score ref -i good --confidence --multi-bleu -b
try score ref -i good --confidence -m bleu ter -f latex
try score ref -i good bad near --confidence -m bleu chrf -w 2
try score ref -i good bad --confidence -f json
# sacreBLEU has p 0.0001, 0.0001, 0.4260 here, of two translations that differ in one line the least, too.
try score ref -i good bad other near --paired-ar --paired-ar-p sacrebleu -m bleu ter -w 4
try score ref -i good bad other near -par -m bleu ter -sh
try score ref -i good near --paired-ar --paired-ar-n 200 --confidence -f json
# Tables as sacreBLEU lays them out.
try score ref -i good 'a_b&c' other -f latex -m bleu chrf ter
try score ref -i good bad near -f latex -w 4 -m bleu chrf --paired-ar --paired-ar-p sacrebleu
try score ref -i good bad near -f latex -w 4 -m bleu chrf --paired-bs --paired-bs-p sacrebleu
# A row says what its own run says, and neither threads nor company change it.
"$DRAGOMAN" score ref -i near -ci -b -w 6 | tr -d '()\261\316\302\274=' > a
"$DRAGOMAN" score ref -j 2 -i bad near -ci -w 6 | awk '/near$/ { print $1, "", $2, "", $3 }' > b
tr -s ' ' < a > a2 && tr -s ' ' < b | cmp - a2 && echo same
echo 'bad input:'
try score ref -i good --paired-ar
try score ref -i good bad --paired-ar --paired-bs
try score ref -i good --confidence -sl
try score ref -i good -f latex -sl
try score ref -i good -f latex -b
try score ref -i good --confidence --multi-bleu
try score ref -i good --confidence --confidence-n 0
try score ref -i good --paired-ar-n 10
try score ref -i good bad --confidence --paired-bs
: > empty
try score empty -i empty --confidence
