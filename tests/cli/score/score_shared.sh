# BLEU and chrF2 of the WMT22 English-German systems, one and two references, to 7 decimals of
# what the organisers published.
. "$SOURCE/tests/support/shell/lib.sh"
test -n "$SHARED" && cd "$SHARED/data/bleu/wmt22/en-de" || skip 'no shared data'
awk -F '\t' '$1 == "en-de" { print $2, $3, $6, $8 }' ../expected.tsv | head -n 6 |
    while read -r system set bleu chrf; do
        references="ref$set.de"
        test "$set" = all && references='refA.de refB.de'
        got=$("$DRAGOMAN" score $references -i "hyp.$system.de" -m bleu chrf -b -w 9 --force | tr '\n' ' ')
        echo "$system $set $bleu $chrf $got" | awk '
            function near(x, y) { return x - y < 1e-7 && y - x < 1e-7 }
            { if (!near($3, $5) || !near($4, $6)) { print; exit 1 } }' || exit 1
    done || exit 1
# newstest2017, four systems.
cd ../../wmt17-ende || exit 77
awk -F '\t' 'NR > 1 && $1 !~ /online-A/ { print $1, $10 }' expected.tsv | head -n 4 |
    while read -r system bleu; do
        got=$("$DRAGOMAN" score ref.de -i hyp/$system* -b -w 4 --force)
        test "$got" = "$bleu" || { echo "$system: $got, not $bleu"; exit 1; }
    done
# Its p-values: those that MultEval found by another two-sided test (approximate randomisation), as far
# as two tests of chance agree.
hyp=hyp/newstest2017
"$DRAGOMAN" score ref.de -tok none -w 2 -i $hyp.LIUM-NMT.4900.en-de.txt --paired-bs $hyp.* |
    awk -F '\t' 'FNR == 1 { file++ }
    file == 1 && FNR > 1 && $8 != "" { want[$1] = $8 }
    file == 2 { split($0, cell, " "); name = cell[5]; sub(/^hyp\//, "", name); sub(/\.txt$/, "", name)
        sub(/\*/, "", cell[4])
        if (name in want) {
            seen++
            if (cell[4] - want[name] > 0.02 || want[name] - cell[4] > 0.02) { print; bad = 1 }
        } }
    END { exit bad || seen != 6 }' expected.tsv - || exit 1
# By name those of sacreBLEU 2.6.0, which were computed with it: the same samples, so the same digits.
got=$("$DRAGOMAN" score ref.de -m bleu chrf -tok none --force -w 4 -i $hyp.LIUM-NMT.4900.en-de.txt \
    $hyp.KIT.4950.en-de.txt $hyp.PROMT-Rule-based.4735.en-de.txt --paired-bs --paired-bs-p sacrebleu |
    awk '/^ *[0-9]/ { print $1, $2, $3, $4 }')
want='21.6098 21.6091 0.6337 -
21.1475 21.1459 0.6691 0.0250*
13.1355 13.1300 0.4915 0.0010*
55.9284 55.9305 0.4704 -
55.7629 55.7648 0.4463 0.1139
50.3573 50.3558 0.3978 0.0010*'
test "$got" = "$want" || { echo "$got"; exit 1; }
