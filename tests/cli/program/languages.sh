# Languages: unknown codes are refused, one without rules of its own is told of once, and training on
# raw text wants to know which rules cut it. Options are checked before any text is read.
. "$SOURCE/tests/support/shell/lib.sh"
printf "Dott. Rossi, l'anno.\nL'anno.\n" > it
try tok -l it -i it
try tok -l it -i it -q
"$DRAGOMAN" tok -l it -i it 2> /dev/null | wc -l
try detok -l it -i it
try tok -l fr -i it
for code in english DE de-AT de_DE.UTF-8 deu xx e '' a-language; do
    try tok -l "$code" -i it
done
printf 'a b\nc d\n' > t.en
cp t.en t.de
cp t.en t.fr
cp t.en plain
small='--dry-run --bpe-merges 0 --dim-emb 8 --transformer-heads 2'
# shown OPTION...: what training says beside the plan.
shown() {
    echo "\$ dragoman train $*"
    "$DRAGOMAN" train $small "$@" 2>&1 | sed -n -e 's!^\[[^]]*\] !!' -e '/error: /p' -e '/warning: /p'
}
shown -t t.en t.de
shown -t t.en t.fr
shown -t t.en t.fr --target-lang fr
shown -t t.en plain
shown -t t.de t.en --target-lang en
shown -t plain t.en --tokenize none
shown -t t.en plain --tokenize none --normalize-punctuation
shown -t t.en t.fr --target-lang it
shown -t t.en t.de --source-lang hi --target-lang ta
shown -t t.en t.de --source-lang hi --target-lang hi
shown -t t.en t.de --target-lang german
shown -t t.en t.de --target-lang xx --tokenize none
# The text is broken, but the options are at fault first: no BPE is learned for nothing.
printf 'a b\n\377 c\n' > bad.en
try train -t bad.en t.de
try train -t bad.en t.de --target-lang xx
try train -t bad.en t.de --syntax nosuch
try train -t bad.en t.de --transformer-heads 3
try train -t bad.en t.de --multitask --syntax deps-san
try train -t bad.en t.de --encoder lexicalized --attend-level 0
printf '1\tx\n' > bad.conllu
try train-parser -t bad.conllu --encoder transformer --transformer-heads 7
