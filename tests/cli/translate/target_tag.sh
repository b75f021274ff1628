# target_tag.sh: translations that begin with a tag, as those of M2M-100: translate and rescore
# --target-tag with every kind of search, the same bytes whatever the batch and the threads; what is
# refused.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
from="$SOURCE/tests/cli/model/import"
"$DRAGOMAN" import "$from/hf-m2m100" -o model.gguf 2> note
grep -q "tags of 3 languages: .*translate --tag '<de>' --target-tag '<en>'" note
"$DRAGOMAN" inspect model.gguf | grep -q 'dragoman.tags.target .* 1$'
"$DRAGOMAN" quantize -q --type bf16 model.gguf -o small.gguf

translate() { "$DRAGOMAN" translate -q --tag '<en>' -m "$@" < "$from/lines"; }
german() { translate "$@" --target-tag '<de>'; }

# ---- each search ---------------------------------------------------------------------------------

german model.gguf > de
translate model.gguf --target-tag '<fr>' > fr
differ de fr
if grep -q '<de>\|__de__' de; then exit 1; fi
test "$(wc -l < de)" = 5
for kind in '-b 1' '-b 5' '-b 5 --beam-rule shrinking' '-b 3 --n-best 3' '-b 2 --compute-type int8' \
    '--penalty gnmt --scores'; do
    # shellcheck disable=SC2086
    german model.gguf $kind -j 1 > one
    for more in '-j 2' '--batch-tokens 1' '-j 3 --maxi-batch 2 --batch-tokens 40'; do
        # shellcheck disable=SC2086
        german model.gguf $kind $more | cmp - one
    done
done
german small.gguf > eight
german model.gguf model.gguf | cmp - de # an ensemble of equal models

# Given translations: the tag is read. That its own probability is in no score, and its place among
# the tokens in all, tests/decode/search/test_beam.c and import.sh have.
rescore() { "$DRAGOMAN" rescore -q -m model.gguf --tag '<en>' "$@"; }
rescore "$from/lines" de --target-tag '<de>' > given
rescore "$from/lines" de --target-tag '<fr>' > other
differ given other
# An empty translation is the tag and the end.
printf 'a\n' > a
printf '\n' > blank
rescore a blank --target-tag '<de>' > de.score
rescore a blank --target-tag '<fr>' > fr.score
differ de.score fr.score
printf '\n' | "$DRAGOMAN" translate -q -m model.gguf --tag '<en>' --target-tag '<de>' | cmp - blank

# A shortlist need not have the tag.
"$DRAGOMAN" shortlist -q -m model.gguf -t "$from/lines" de --tag '<en>' --first 0 -o short
german model.gguf --shortlist short -b 5 > with
german model.gguf --shortlist short -b 5 -j 2 --batch-tokens 1 | cmp - with
differ with fr

# ---- beside translations -------------------------------------------------------------------------

# The tag is no word.
german model.gguf --keep-tokens --alignment links > kept
german model.gguf --keep-tokens | cmp - kept
test "$(wc -l < links)" = 5
awk 'NR == FNR { words[FNR] = split($0, w, " "); next }
    { for (i = 1; i <= NF; i++) { split($i, l, "-"); if (l[2] >= words[FNR]) { print; exit 1 } } }' \
    kept links
# Nor is it one where pieces are words: the 17th of the first line has the first link.
"$DRAGOMAN" import -q "$from/hf-m2m100" --tokenize none -o words.gguf
sed 's/^/▁/; s/ / ▁/g' "$from/lines" | "$DRAGOMAN" translate -q -m words.gguf --tag '<en>' \
    --target-tag '<de>' --keep-tokens --alignment links > kept
if grep '<de>' kept; then exit 1; fi
grep -q '^4-16' links
german model.gguf --attention map --attention-kinds all > de.again
cmp de de.again
grep -q '"target":{"words":\[.*\],"pieces":\["<de>",.*\],"word_of":\[-1,' map
"$DRAGOMAN" draw attention -i map --line 1 -o map.svg

# ---- what is refused -----------------------------------------------------------------------------

briefly 2 'tag "<xx>": the model does not know it; expected one of <de> <en> <fr>' \
    "$DRAGOMAN" translate -m model.gguf --tag '<en>' --target-tag '<xx>'
briefly 2 'tag "__xx__": the model does not know it' \
    "$DRAGOMAN" translate -m model.gguf --tag '<en>' --target-tag __xx__
briefly 2 'expected one of <de> <en> <fr>' \
    "$DRAGOMAN" rescore -m model.gguf --tag '<en>' --target-tag '</s>' "$from/lines" "$from/lines"
briefly 2 'option --target-tag needs TAG' "$DRAGOMAN" translate -m model.gguf --target-tag
"$DRAGOMAN" import -q "$from/hf-marian" -o plain.gguf
briefly 2 'the model knows no tags' "$DRAGOMAN" translate -m plain.gguf --target-tag '<de>'
for command in translate 'rescore lines lines'; do
    cp "$from/lines" lines
    # shellcheck disable=SC2086
    "$DRAGOMAN" $command -m model.gguf --tag '<en>' < lines 2> err > /dev/null
    grep -q 'line 1 has no tag at its head (said once), and translations of the model begin with one of the tags <de> <en> <fr>; expected one, or --target-tag' err
    # shellcheck disable=SC2086
    "$DRAGOMAN" $command -m model.gguf --tag '<en>' --no-line-tags < lines 2> err > /dev/null
    grep -q 'begin with one of the tags <de> <en> <fr>, and none is given without --target-tag' err
done

# Training goes on with targets as they are: its translations begin with no tag.
"$DRAGOMAN" train -q --init model.gguf --model child.gguf -t "$from/lines" de --train-tags '<en>' \
    --after 2u 2> log || { cat log; exit 1; }
briefly 2 'translations of the model begin with no tag; expected --tag' \
    "$DRAGOMAN" translate -m child.gguf --tag '<en>' --target-tag '<de>'
