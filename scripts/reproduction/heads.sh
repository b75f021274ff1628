# heads.sh: how well the attention heads that are parsers parse (dbsa, lisa): unlabelled attachment on the
# test set, against its gold trees or, without, against those of the parser, or those kept of one.

# gold_of SIDE: sets gold to the trees of the test set, or returns 1 where nothing gives any. Those of a
# parser are made once.
gold_of() {
    if test "$1" = source; then
        gold=$test_trees file=$(parser_file '') text=$test_source
    else
        gold=$test_target_trees file=$target_parser text=$test_target
    fi
    test -z "$gold" || return 0
    if test "$1" = source && test -z "$file" && test -n "$(kept_folder)"; then
        kept_once test "$test_source" && gold=$kept
        return
    fi
    test -n "$file" && tokenised || return
    gold=$out/data/test.$1.gold.conllu
    test -f "$gold" || {
        "$DRAGOMAN" parse --quiet --threads "$threads" --format tokens --model "$file" --input "$text" \
            --output "$gold.part" && mv "$gold.part" "$gold"
    }
}

# head_uas SIDE: UAS of that side's head. Of the target only words whose head is not behind them count: no
# decoder can know the others, nor is it trained on them. Nothing where the model has no such head.
head_uas() {
    heads=$dir/heads.$1.conllu
    if test "$1" = source; then
        set -- --from-attention --input "$test_source"
        how=''
    else
        set -- --source "$test_source" --input "$test_target"
        how='--multi-root keep --earlier-heads'
    fi
    "$DRAGOMAN" parse --quiet --threads "$threads" --format tokens --model "$dir/model.gguf" "$@" \
        --output "$heads" 2>> "$dir/log" &&
        "$DRAGOMAN" parse-eval $how "$gold" "$heads" 2>> "$dir/log" |
        awk -F '|' '$1 ~ /^UAS / { gsub(/ /, "", $4); print $4 }'
}

# has_head SIDE: whether a head of that side is a parser, by what the row says of its variant.
has_head() {
    case $1,$syntax in
    source,*lisa*) ;;
    source,*dbsa*enc_layer=0[,\)]* | target,*dbsa*dec_layer=0[,\)]*) return 1 ;;
    *dbsa*) ;;
    *) return 1 ;;
    esac
}

# gather_heads: `uas_source N` and `uas_target N`, facts of a row; - where there is nothing to tell.
gather_heads() {
    for side in source target; do
        uas=''
        if has_head $side && gold_of $side; then uas=$(head_uas $side); fi
        echo "uas_$side ${uas:--}"
    done
}
