# Scores by source length and phrases said twice, from the command line, and what is refused.
. "$SOURCE/tests/support/shell/lib.sh"
awk 'BEGIN {
    for (i = 1; i <= 60; i++) {
        source = "w"
        for (k = 2; k <= i; k++)
            source = source " w"
        right = "the " i " . dog sees a cat in the garden of house " (i % 7)
        wrong = "one " i " . dog saw some cat at a garden of house " (i % 7)
        print source > "src"
        print right > "ref"
        print (i % 10 ? right : wrong) > "good"
        print (i > 20 && i % 3 ? wrong : right) > "bad"
    }
}'
try score ref -i good -w 2 -tok none --by-length src
try score ref -i good -w 2 -tok none --short --by-length src --baseline bad --length-step 2
try score ref -i good -m bleu chrf --by-length src --baseline good
# A group is what its lines are by themselves; the last row is the whole.
"$DRAGOMAN" score ref -i bad -w 4 --by-length src | awk '{ print $NF }' > table
sed -n 21,25p ref > some && sed -n 21,25p bad | "$DRAGOMAN" score some -b -w 4 > alone
sed -n 7p table | cmp - alone && echo same
"$DRAGOMAN" score ref -i bad -b -w 4 | cmp - alone > /dev/null || echo differs
"$DRAGOMAN" score ref -i bad -b -w 4 > alone && tail -n 1 table | cmp - alone && echo same
printf 'in the house in the house\na a b\nvery very good\n. . .\na b c d a x b c d\nfine\n' > out
printf 'in the house\na b\nvery very good\n. . .\na b c d\nfine\n' > one
try score one -i out --repetitions
try score one out -i out --repetitions
try score one --repetitions < out
echo 'bad input:'
head -n 3 src > short
: > empty
try score ref -i good --by-length short
try score short -i good --repetitions
try score ref -i good --by-length missing
try score ref -i good --by-length -
try score ref --by-length - < src
try score ref -i good --by-length src --repetitions
try score ref -i good --by-length src -sl
try score ref -i good --by-length src -f json
try score ref -i good --repetitions -b
try score ref -i good --baseline bad
try score ref -i good --by-length src --paired-bs bad
try score ref -i good --by-length src -o src
try score ref -i good --by-length src --length-step 0
try score empty -i empty --by-length empty
try score empty -i empty --repetitions
printf '\200\201 \200\201\n\000\000 \000\n' > raw
try score raw -i raw --repetitions
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "a "; print "" }' > long
try score long -i long --repetitions
