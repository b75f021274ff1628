# Completions name every command and option, and the shells at hand accept them.
. "$SOURCE/tests/support/shell/lib.sh"
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
gives() {
    want=$1
    shift
    got=$(complete_words "$@")
    test "$got" = "$want" || { echo "$*: \"$got\"; expected \"$want\""; exit 1; }
}
gives score dragoman sco
gives convert dragoman conv
gives draw dragoman dra
gives undo dragoman bpe un
gives trees dragoman convert t
gives 'tree attention chart training compare' dragoman draw ''
gives exit-codes dragoman help exit
gives train-parser dragoman help train-
gives zsh dragoman completion z
gives --vocabulary-threshold dragoman bpe apply --vocabulary-
gives --multi-root dragoman convert trees --multi
gives intl dragoman score --tokenize i
gives intl dragoman score --tokenize = i
gives --tokenize dragoman eval --token
gives '' dragoman score ref
END
bash try.bash || fail 'bash completes otherwise'

if command -v zsh > /dev/null 2>&1; then
    # What the functions of zsh's completion system are given.
    cat > try.zsh <<'END'
_describe() { print -r -- "$commands"; }
compadd() { print -r -- "$*"; }
_arguments() { print -r -- "$*"; }
words=(dragoman '') CURRENT=2
source ./c.zsh
gives() {
    local want=$1
    shift
    words=("$@") CURRENT=$#
    [[ $(_dragoman) == *$want* ]] || { print -r -- "$*: no $want"; exit 1; }
}
gives score: dragoman ''
gives 'convert:trees' dragoman ''
gives trees dragoman convert ''
gives attention dragoman draw ''
gives exit-codes dragoman help ''
gives 'bash zsh fish' dragoman completion ''
gives --multi-root dragoman convert trees --
gives '13a' dragoman eval --
gives --vocabulary-threshold dragoman apply-bpe --
END
    zsh -f try.zsh || fail 'zsh completes otherwise'
fi

if command -v fish > /dev/null 2>&1; then
    HOME=$PWD XDG_CONFIG_HOME=$PWD XDG_DATA_HOME=$PWD
    export HOME XDG_CONFIG_HOME XDG_DATA_HOME
    # gives WORD LINE: whether the line, as far as it was typed, can go on with the word.
    gives() {
        fish -c "source ./c.fish; complete -C '$2'" | cut -f 1 | grep -q -x -e "$1" ||
            fail "fish: $2: no $1"
    }
    gives score 'dragoman sco'
    gives draw 'dragoman dr'
    gives trees 'dragoman convert '
    gives attention 'dragoman draw '
    gives exit-codes 'dragoman help '
    gives zsh 'dragoman completion '
    gives --multi-root 'dragoman convert trees --multi'
    gives intl 'dragoman score --tokenize '
    gives --tokenize 'dragoman eval --token'
fi
