# Completions name every command and option, and the shells at hand accept them.
exec >&2
fail() {
    echo "$*"
    exit 1
}
"$DRAGOMAN" help --all-options > options || exit 1
for shell in bash zsh fish; do
    "$DRAGOMAN" completion $shell > c.$shell || fail "completion $shell"
    cut -f 2 options | sort -u | while read -r option; do
        test $shell = fish && option="-l ${option#--}"
        grep -q -e "$option" c.$shell || fail "$shell: no $option"
    done || exit 1
    cut -f 1 options | sort -u | while read -r name; do
        grep -q -e "${name#* }" c.$shell || fail "$shell: no $name"
    done || exit 1
    command -v $shell > /dev/null 2>&1 || continue
    $shell -n c.$shell || fail "$shell does not read its completion"
done
command -v bash > /dev/null 2>&1 || exit 0
cat > try.bash <<'END'
source ./c.bash
complete_words() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _dragoman
    echo "${COMPREPLY[*]}"
}
test "$(complete_words dragoman sco)" = score &&
    test "$(complete_words dragoman bpe un)" = undo &&
    test "$(complete_words dragoman bpe apply --vocabulary-)" = --vocabulary-threshold &&
    test "$(complete_words dragoman score --tokenize i)" = intl &&
    test -z "$(complete_words dragoman score ref)"
END
bash try.bash || fail 'bash completes otherwise'
