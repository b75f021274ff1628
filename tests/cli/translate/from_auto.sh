# from_auto.sh: a line that is in the language of the translations stays as it is, one of another
# language has the tag of its own where translations begin with tags, and where nobody can tell, all
# is as without.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
printf '%s\n' 'The children are playing with their dog in the garden.' 'She said that she would come back.' \
    'There is nothing in this house which I have not seen.' 'What do you think of the book?' > en
printf '%s\n' 'Die Kinder spielen mit ihrem Hund im Garten.' 'Sie sagte, dass sie am Abend wieder komme.' \
    'In diesem Haus gibt es nichts, was ich nicht gesehen habe.' 'Was denkst du über das Buch?' > de
printf '%s\n' 'Les enfants jouent avec leur chien dans le jardin.' "Elle a dit qu'elle reviendrait ce soir." \
    "Il n'y a rien dans cette maison que je n'aie pas vu." 'Que penses-tu du livre ?' > fr
"$DRAGOMAN" langid train -q en=en de=de fr=fr -o languages.gguf
generate data --seed 7 --train 60 --dev 5 --test 5
small after=1u save-freq=1u bpe-merges=0
valid_on=
train m.gguf
translate() { "$DRAGOMAN" translate --from auto --langid languages.gguf "$@"; }

# English to German: German lines stay, whatever stands in them; others are translated, and blank ones are blank.
{ sed -n 1p en; printf '%s\n' 'Sie sagte <b>das Buch</b>  http://x.org nicht. ' '' 'xq 17'; sed -n 2p fr; } > in
"$DRAGOMAN" translate -q -m m.gguf -i in > plain
translate -m m.gguf -i in > out 2> log
said '1 of 5 lines are in the language of the translations, and stay as they are'
sed -n 2p in > stays
sed -n 2p out | cmp - stays
sed 2d plain > others
sed 2d out | cmp - others
translate -q -m m.gguf -i in -j 3 --batch-tokens 1 --maxi-batch 1 | cmp - out
translate -q -m m.gguf -i in --protect all > kept
sed -n 2p kept | cmp - stays
for how in '--split sentence' '--case auto' '--n-best 2' --scores; do
    translate -q -m m.gguf -i in $how > with
    grep -q -F "$(sed 's/ $//' stays)" with || fail "$how: $(cat with)"
done

# M2M-100's form of model: each line by its own language; a tag at its head, or the language that is wanted, as without.
"$DRAGOMAN" import -q "$SOURCE/tests/cli/model/import/hf-m2m100" -o many.gguf
many() { "$DRAGOMAN" translate -q -m many.gguf "$@"; }
cat en de > both
many -i en --tag '<en>' --target-tag '<de>' > of.en
many -i en --tag '<de>' --target-tag '<de>' > of.wrong
differ of.en of.wrong
translate -q -m many.gguf -i both --tag '<de>' --target-tag '<de>' > out
{ cat of.en; cat de; } | cmp - out
sed 's/^/__en__ /' both > tagged
many -i tagged --tag '<de>' --target-tag '<de>' | tail -n 4 > want
translate -q -m many.gguf -i tagged --tag '<de>' --target-tag '<de>' | tail -n 4 | cmp - want

# Refusals.
briefly 2 '--from auto goes with --langid' "$DRAGOMAN" translate -m m.gguf --from auto
refuse 2 '--langid .*--from auto' translate -m m.gguf --from de --langid languages.gguf
refuse 2 'trees\|attention\|alignment' translate -m m.gguf --from auto --langid languages.gguf --alignment links
"$DRAGOMAN" langid train -q en=en fr=fr -o two.gguf
refuse 2 'does not know "de", the language of the translations' translate -m m.gguf --from auto --langid two.gguf
refuse 4 'm.gguf' translate -m m.gguf --from auto --langid m.gguf
