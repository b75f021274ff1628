# import.sh: models of other programs, with random weights, against what the originals compute
# (tests/cli/model/import, made by scripts/peers/import.py): scores of given lines and translations; what is
# refused, and by which name. marian-int8 has the weights of marian, rounded to intgemm8 in a binary file; its values are
# those of an .npz with the same rounded weights.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
from="$SOURCE/tests/cli/model/import"
import() { "$DRAGOMAN" import "$@"; }
# near A B: two columns of numbers, which differ by less than 2e-4.
near() {
    paste "$1" "$2" | awk '{ d = $1 - $2; if (d < 0) d = -d; if (!(d < 2e-4)) { print; bad = 1 } }
        END { exit bad || NR != 5 }'
}
# like OURS THEIRS: the same lines, but for those, *, that their limit of length cut.
like() {
    awk 'NR == FNR { ours[FNR] = $0; lines = FNR; next }
        $0 != "*" && $0 != ours[FNR] { print FILENAME ": " $0; bad = 1 }
        END { exit bad || FNR != lines }' "$1" "$2"
}
awk '{ line[NR] = $0 } END { for (i = NR; i > 0; i--) print line[i] }' "$from/lines" > targets

for kind in hf-marian hf-m2m100 marian marian-separate marian-int8 fairseq opennmt; do
    tag='' spm=''
    test $kind != hf-m2m100 || tag='--tag <en> --target-tag <de>'
    case $kind in fairseq | opennmt) spm="--spm $from/$kind/sentencepiece.bpe.model" ;; esac
    rc=0
    import "$from/$kind" -o $kind.gguf $spm 2> note || rc=$?
    if [ $kind = marian-separate ] && [ $rc != 0 ]; then # deflated
        grep -q 'built without zlib' note
        continue
    fi
    test $rc = 0 || { cat note; exit 1; }
    if [ $kind = hf-m2m100 ]; then
        grep -q 'tags of 3 languages' note
        grep -v 'tags of 3 languages' note > unknown || :
        mv unknown note
    fi
    test ! -s note || { cat note; exit 1; } # every setting is known
    "$DRAGOMAN" inspect --verify $kind.gguf > /dev/null
    "$DRAGOMAN" rescore "$from/lines" targets -q $tag -m $kind.gguf > scores
    near scores "$from/$kind/expected.scores" || { echo $kind; exit 1; }
    for beam in 1 5; do
        "$DRAGOMAN" translate -q -m $kind.gguf $tag -b $beam --penalty fairseq -n 1 --allow-empty --allow-unk \
            --beam-rule fairseq --max-length-factor 2 \
            < "$from/lines" > out.$beam
        like out.$beam "$from/$kind/expected.$beam"
    done
done

# The same weights in another program's files are the same model, whatever the threads.
import "$from/hf-marian/model.safetensors" -o again.gguf -j 3
cmp again.gguf hf-marian.gguf

# What goes where.
import "$from/marian" --dry-run > plan
grep -q '^encoder_l1_self_Wq f4 (16, 16) -> encoder.layers.0.self_attn.q_proj.weight (16, 16), transposed$' plan
grep -q '^Wemb f4 .* -> encoder.embed_tokens.weight .*, in the order of our vocabulary$' plan
grep -q '^positions = tensor2tensor$' plan

# The layer that learned links, of which the original says "last": four bytes of its configuration,
# and the checksum of that at both ends of the archive.
guided() { # LAYER CHECKSUM
    cp "$from/marian/model.npz" guided/model.npz
    chmod u+w guided/model.npz
    printf '%-4s' "$1" | dd of=guided/model.npz bs=1 seek=32288 conv=notrunc 2> /dev/null
    for place in 31651 35682; do
        printf "$2" | dd of=guided/model.npz bs=1 seek=$place conv=notrunc 2> /dev/null
    done
}
cp -r "$from/marian" guided
chmod -R u+w guided
! grep guided-alignment-layer plan
# Names behind question marks, as libraries of YAML write some, are the same names.
awk -F ': ' 'NR % 3 == 0 { print "? " $1; print ": " $2; next } 1' "$from/marian/vocab.yml" > guided/vocab.yml
import guided -o asked.gguf
cmp asked.gguf marian.gguf
guided 1 '\047\223\137\146'
import guided --dry-run > plan
grep '^guided-alignment-layer = 1$' plan
guided 2 '\265\377\045\207'
briefly 4 'transformer-guided-alignment-layer is "*2.*expected' import guided -o x.gguf

# Refused by name: settings, tensors, files.
cp -r "$from/hf-marian" bad
chmod -R u+w bad
set_config() { sed "s/$1/$2/" "$from/hf-marian/config.json" > bad/config.json; }
set_config '"swish"' '"gelu_new"'
briefly 4 'activation_function is "gelu_new".*expected relu|swish|silu|gelu' import bad -o x.gguf
set_config '"encoder_ffn_dim": 16' '"encoder_ffn_dim": 32'
briefly 4 'encoder_ffn_dim is 32 and decoder_ffn_dim 16' import bad -o x.gguf
set_config '"encoder_layers": 1' '"encoder_layers": 2'
briefly 4 'tensor "model.encoder.layers.1.self_attn.q_proj.weight" is missing' import bad -o x.gguf
set_config '"model_type": "marian"' '"model_type": "bart"'
briefly 4 'model_type is "bart".*expected one of marian, m2m_100' import bad -o x.gguf
set_config '"d_model": 16' '"d_model": 32'
briefly 4 'has the shape (.*expected (' import bad -o x.gguf
cp hf-marian.gguf x.gguf
cp "$from/hf-marian/config.json" bad
head -c 9000 "$from/hf-marian/model.safetensors" > bad/model.safetensors
briefly 4 'model.safetensors' import bad -o y.gguf
cp "$from/marian/model.npz" bad/model.safetensors
briefly 2 'expected --from marian or auto' import bad/model.safetensors --from huggingface -o y.gguf
rm bad/model.safetensors
briefly 4 'no model.safetensors, no model.bin and no .npz' import bad -o y.gguf
touch bad/pytorch_model.bin
briefly 4 'pickle.*export-checkpoint.py' import bad -o y.gguf
cp -r "$from/fairseq" words
chmod -R u+w words
rm words/sentencepiece.bpe.model
briefly 2 'expected --spm, none or moses' import words -o y.gguf --tokenize spm
briefly 2 'expected 1 or 2' import "$from/fairseq" -o y.gguf --spm a b c
briefly 2 '--overwrite' import "$from/hf-marian" -o x.gguf
briefly 2 '' import "$from/hf-marian" -o "$from/hf-marian/vocab.json" --overwrite
test ! -e y.gguf

# A student whose decoder has simple recurrent units, its layers tied, norms in front, two vocabularies: what Marian said of
# it (scripts/peers/import_marian.py).
student="$from/marian-ssru"
vocabs="--vocabs $student/source.vocab.yml $student/target.vocab.yml --tokenize none"
import "$student" -o student.gguf $vocabs
import "$student" -o named.gguf --tokenize none # the names of the files say which is whose
cmp named.gguf student.gguf
"$DRAGOMAN" inspect --no-tensors student.gguf | grep -q '^ *decoder = ssru$'
"$DRAGOMAN" rescore "$student/lines" "$student/targets" -q -m student.gguf > scores
near scores "$student/expected.scores"
for beam in 1 5; do
    "$DRAGOMAN" translate -q -m student.gguf -b $beam --beam-rule shrinking -n 0 < "$student/lines" > out
    cmp out "$student/expected.$beam"
done
cp -r "$student" other
chmod -R u+w other
# other MESSAGE SCRIPT: with another configuration, of the same length.
other() {
    LC_ALL=C sed "$2" "$student/model.bin" > other/model.bin
    briefly 4 "$1" import other -o x.gguf --overwrite $vocabs
}
other 'dec-cell is "lstm".*expected ssru' 's/dec-cell: ssru/dec-cell: lstm/'
other 'no dec-cell; expected ssru' 's/dec-cell: ssru/# c-cell: ssru/'
other 'layer-normalization is "true".*expected false' 's/^layer-normalization: false/layer-normalization: true /'
other 'transformer-decoder-autoreg is "aan".*expected self-attention|rnn' 's/^transformer-decoder-autoreg: rnn/transformer-decoder-autoreg: aan/'
other 'transformer-tied-layers is "1,9"; expected none, or the number of a layer for each of 2 layers' \
    '/^transformer-tied-layers/{n;n;s/1/9/;}'
other 'tensor "decoder_l2_rnn_W" is missing' '/^transformer-tied-layers/{n;n;s/1/2/;}'

# Its shortlist, in Marian's binary form, allows a sentence what Marian allows it: the same translations and sums.
shortlist() { "$DRAGOMAN" shortlist "$@"; }
shortlist -q -m student.gguf --lexical-table "$student/lex.s2t.bin" -o student.list
"$DRAGOMAN" translate -q -m student.gguf -b 5 --beam-rule shrinking -n 0 --shortlist student.list --scores \
    < "$student/lines" > out
cut -f 2 out | cmp - "$student/expected.list"
cut -f 1 out > scores
near scores "$student/expected.list.scores"
briefly 2 'as long as it is; expected no --first, --best or --threshold' \
    shortlist -m student.gguf --lexical-table "$student/lex.s2t.bin" -o x.list --best 100
briefly 4 'a shortlist of 40 source pieces, and the model has [0-9]*; expected the one that belongs to' \
    shortlist -m marian.gguf --lexical-table "$student/lex.s2t.bin" -o x.list
head -c 300 "$student/lex.s2t.bin" > x.bin
briefly 3 'x.bin:@0x20: error: another size than its head says; expected a lexical shortlist of Marian' \
    shortlist -m student.gguf --lexical-table x.bin -o x.list
test ! -e x.list

# It says how its program searches: the command without options does as Marian does. decoder.yml says it otherwise.
"$DRAGOMAN" inspect --no-tensors student.gguf | grep -A 6 'dragoman.search' | sed 1d | tr -s ' \n' ' ' > out
echo ' beam-size = 1 beam-rule = shrinking penalty = fairseq normalize = 1 max-length-factor = 2 max-length-extra = 0 ' |
    tr -d '\n' | cmp - out
"$DRAGOMAN" translate -q -m student.gguf < "$student/lines" | cmp - "$student/expected.1"
cp "$student/model.bin" other
printf '%s\n' 'relative-paths: true' 'beam-size: 5' 'normalize: 0' 'word-penalty: 0.5' 'mini-batch: 1' > other/decoder.yml
import other -o other.gguf $vocabs 2> note
grep -q 'decoder.yml: word-penalty 0.5 is left out' note
"$DRAGOMAN" translate -q -m other.gguf < "$student/lines" | cmp - "$student/expected.5"
"$DRAGOMAN" quantize -q marian.gguf --type bf16 -o small.gguf
"$DRAGOMAN" inspect --no-tensors small.gguf | grep -q '^ *beam-rule = shrinking$'
"$DRAGOMAN" average -q -i other.gguf other.gguf -o averaged.gguf
"$DRAGOMAN" translate -q -m averaged.gguf < "$student/lines" | cmp - "$student/expected.5"
"$DRAGOMAN" translate -q -m other.gguf --beam-size 1 < "$student/lines" | cmp - "$student/expected.1"
briefly 2 'n-best 6 with a beam of 5; expected at most that' "$DRAGOMAN" translate -m other.gguf --n-best 6 -i "$student/lines"
echo 'beam-size: 100' > other/decoder.yml
briefly 4 'beam-size: expected 1..64, got "100" (other/decoder.yml)' import other -o x.gguf --overwrite $vocabs

# The command takes the files as they lie there, too, and says so.
"$DRAGOMAN" translate -m "$student/model.bin" < "$student/lines" 2> note | cmp - "$student/expected.1"
grep -q 'model.bin: a model of marian, as it lies there; dragoman import makes a file of it' note
"$DRAGOMAN" rescore "$student/lines" "$student/targets" -q -m "$student/model.bin" > scores
near scores "$student/expected.scores"
"$DRAGOMAN" rescore "$from/lines" targets -q -m "$from/hf-marian/model.safetensors" > scores
near scores "$from/hf-marian/expected.scores"
briefly 4 'x.bin.*expected' "$DRAGOMAN" translate -m x.bin -i "$student/lines"
briefly 4 'no such.npz' "$DRAGOMAN" translate -m 'no such.npz' -i "$student/lines"
