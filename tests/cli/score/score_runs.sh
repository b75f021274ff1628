# Several trainings of a system against several of another: which files are runs of which is said, never guessed.
# Sixty lines; line i is wrong in a run where i is a multiple of its number; B.2 is wrong where it is of 5 or 7.
. "$SOURCE/tests/support/shell/lib.sh"
awk 'BEGIN {
    count = split("3 4 5 7 11", number)
    split("A.1 A.2 A.3 B.1 B.2", run)
    for (i = 1; i <= 60; i++) {
        set = i % 3 ? "x" : "y"
        right = "the " i " dog sees a cat in the garden of house " (i % 7)
        wrong = "one " i " dog saw some cat at a garden of house " (i % 7)
        print right > ("ref." set)
        print right > "ref"
        for (r = 1; r <= count; r++) {
            line = i % number[r] == 0 || r == count && i % 5 == 0 ? wrong : right
            print line > (run[r] "." set)
            print line > run[r]
        }
    }
}'
try score ref --runs -i A.1 A.2 A.3 + B.1 B.2 -w 2
try score ref --runs -i A.1 A.2 A.3 + B.1 + B.2 -w 2 -m bleu chrf --short --paired-bs-n 100 --seed 7
try score ref --runs -i A.1 A.2 -m ter
try score 'ref.{}' --runs --sets x y -i 'A.1.{}' 'A.2.{}' + 'B.1.{}' 'B.2.{}' -w 2
try score ref --runs -i A.1 A.2 + B.1 -f json -w 2
try score 'ref.{}' --runs --sets x,y -i 'A.1.{}' + 'B.1.{}' -f json -w 2 -m bleu chrf --paired-bs-n 50
# Of one run each it is --paired-bs; a system against itself is no other; a set alone is what it is among others.
"$DRAGOMAN" score ref -i A.1 B.1 --paired-bs -w 4 | awk 'NR == 4 { print $1, $3, $4 }' | tr -d '*' > one
"$DRAGOMAN" score ref --runs -i A.1 + B.1 -w 4 | awk 'NR == 4 { print $2, $4, $8 }' | cmp - one && echo same
"$DRAGOMAN" score ref --runs -i A.1 A.2 + A.2 A.1 | awk 'NR == 4 { print $5, $6, $7, $8, $9 }'
"$DRAGOMAN" score ref.y --runs -i A.1.y A.2.y + B.1.y | awk 'NR > 2 { print $2, $3, $4, $5, $6, $7, $8, $9 }' > one
"$DRAGOMAN" score 'ref.{}' --runs --sets y x -i 'A.1.{}' 'A.2.{}' + 'B.1.{}' |
    awk 'NR == 4 || NR == 5 { print $2, $3, $4, $5, $6, $7, $8, $9 }' | cmp - one && echo same
echo 'bad input:'
try score ref --runs -i + A.1
try score ref --runs -i A.1 +
try score ref --runs -i A.1 + + B.1
try score ref --runs -i A.1 A.2 A.1
try score ref --runs
try score ref -i A.1 + B.1
try score ref --runs -i A.1 --sets x
try score ref --runs -i 'A.1.{}' --sets x
try score 'ref.{}' --runs -i 'A.1.{}' --sets x x
try score 'ref.{}' --runs -i 'A.1.{}' --sets x z
try score 'ref.{}' --runs -i 'A.1.{}' --sets x y -o A.1.y
try score 'ref.{}' --runs -i 'A.1.{}' --sets x y -o ref.x
head -n 5 A.1 > short
try score ref --runs -i A.2 + short
: > empty
try score empty --runs -i empty
