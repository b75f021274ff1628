#!/bin/sh
# check-layers.sh SRCDIR: every #include "layer/x.h" below src/ points to its own layer or
# to a lower one, in the order of src/LAYERS. Commands and the program see only the public header, as
# an embedder does, what api/program.h adds for them, and base/. A header whose folder is no layer is
# an error.
cd "$1/src" || exit 1
bad=$(grep -n '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<][a-z]' $(find . -name '*.[ch]' | sed 's|^\./||') |
    awk '
BEGIN {
    while ((getline line < "LAYERS") > 0) {
        sub(/#.*/, "", line)
        split(line, word, " ")
        if (word[1] != "")
            rank[word[1]] = ++count
    }
}
{
    place = $0
    sub(/:[ \t]*#.*/, "", place)
    layer = place
    sub(/\/.*/, "", layer)
    target = $0
    sub(/^[^"<]*/, "", target)
    quote = substr(target, 1, 1)
    target = substr(target, 2)
    sub(/[">].*/, "", target)
    goal = target
    sub(/\/.*/, "", goal)
    if (quote == "<" && !(goal in rank) || target == "config.h" || target == "dragoman.h" ||
        target == "api/program.h")
        next
    why = ""
    if (!(layer in rank))
        why = "src/LAYERS does not name the layer " layer
    else if (quote == "<" || index(target, "/") == 0)
        why = "includes are written \"layer/file.h\""
    else if (!(goal in rank))
        why = "src/LAYERS does not name the layer " goal
    else if (rank[goal] > rank[layer])
        why = layer " stands below " goal
    else if (layer == "cmd" && goal != "cmd" && goal != "base")
        why = "commands include only dragoman.h, api/program.h, base/ and cmd/"
    else if (layer == "cli" && goal != "cli" && goal != "cmd" && goal != "base")
        why = "the program includes only dragoman.h, api/program.h, base/ and cmd/"
    if (why != "")
        print "src/" place ": " target ": " why
}')
if test -n "$bad"; then
    echo "$bad"
    exit 1
fi
echo "check-layers: every include points down"
