#!/bin/sh
# stats.sh SRCDIR [TASK]: the source tree in numbers: lengths of files and functions, full folders,
# comments, who declares what, circles of files, and where a device task (norm_forward) is named.
# It is to be run before and after a change of the tree's order, and the two compared. It parses no
# C: it relies on the house style, in which a function begins in column 0 and its two outer braces
# stand there, the first alone on its line. What macros make of their arguments it does not see.
LC_ALL=C
export LC_ALL
cd "${1:?stats.sh SRCDIR [TASK]}" || exit 1

# walk FOLDER: every file below it, at any depth, in one order on every machine.
walk() {
    for entry in "$1"/*; do
        if test -d "$entry"; then
            walk "$entry"
        elif test -f "$entry"; then
            printf '%s\n' "$entry"
        fi
    done
}

for top in src include opencl tests scripts; do
    walk $top
done | awk -v task="${2:-norm_forward}" '
BEGIN {
    # A part of a longer name counts: run_norm_forward, norm_forward_block; not norm_forwards.
    task_word = "(^|[^A-Za-z0-9])" task "([^A-Za-z0-9]|$)"
}
{
    read_file($0)
}
END {
    print_files()
    print_functions()
    print_folders()
    print_comments()
    print_exported()
    print_circles()
    print_tags()
    print_task()
}

# ---- series of numbers -------------------------------------------------------------------------

# Numbers are kept as how often each was seen: they are small, and awk sorts nothing.
function add(series, value, name) {
    seen[series, value]++
    total[series]++
    sum[series] += value
    if (value > most[series]) {
        most[series] = value
        most_name[series] = name
    }
}

# The smallest value that at least `share` of the series do not exceed.
function quantile(series, share, value, count, want) {
    want = share * total[series]
    for (value = 0; value < most[series]; value++) {
        count += seen[series, value]
        if (count > 0 && count >= want)
            return value
    }
    return most[series] + 0
}

# ---- files -------------------------------------------------------------------------------------

function area_of(file, suffix) {
    if (file ~ /^scripts\//)
        return "scripts"
    if (file ~ /^opencl\//)
        return suffix == "cl" || suffix == "clh" ? "opencl" : ""
    if (suffix != "c" && suffix != "h")
        return ""
    return file ~ /^tests\// ? "tests" : "src and include"
}

function read_file(file, line, lines, suffix, area, is_code, in_src, folder, has_task) {
    suffix = file
    sub(/.*[.\/]/, "", suffix)
    if (suffix == "gguf") # no text
        return
    area = area_of(file, suffix)
    is_code = area != "" && area != "scripts" && area != "tests"
    in_src = file ~ /^src\// && is_code
    if (is_code)
        begin_code(file, suffix, in_src)
    while ((getline line < file) > 0) {
        lines++
        if (!has_task && file !~ /^scripts\// && index(line, task) && line ~ task_word) {
            has_task = 1
            task_file[++task_files] = file
        }
        if (is_code)
            read_code(line, lines)
    }
    close(file)
    if (area == "")
        return
    add("files " area, lines + 0, file)
    if (lines < 50)
        short[area]++
    if (in_src || area == "tests") {
        folder = file
        sub(/\/[^\/]*$/, "", folder)
        if (!(folder in in_folder))
            folder_name[++folders] = folder
        in_folder[folder]++
    }
}

# ---- code --------------------------------------------------------------------------------------

function begin_code(file, suffix, in_src) {
    code_file = file
    code_suffix = suffix
    code_in_src = in_src
    code_series = file ~ /^opencl\// ? "opencl" : in_src ? "src" : "include"
    code_base = file
    sub(/.*\//, "", code_base)
    sub(/\.[^.]*$/, "", code_base)
    # Two folders may have a file of the same name: a unit is known by its folder, too.
    code_unit = file
    sub(/^src\//, "", code_unit)
    sub(/\.[^.]*$/, "", code_unit)
    if (in_src && !(code_unit in unit_number)) {
        unit_name[++units] = code_unit
        unit_number[code_unit] = units
    }
    in_comment = in_directive = in_function = in_braces = 0
    head = ""
}

# The line without comments and with empty strings. has_comment: whether there was a comment.
function bare(line, code, what) {
    has_comment = in_comment
    for (;;) {
        if (in_comment) {
            if (!index(line, "*/"))
                return code
            line = substr(line, index(line, "*/") + 2)
            in_comment = 0
            code = code " "
        }
        if (!match(line, /["\047]|\/\*|\/\//))
            return code line
        code = code substr(line, 1, RSTART - 1)
        what = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART)
        if (what == "//") {
            has_comment = 1
            return code
        } else if (what == "/*") {
            has_comment = in_comment = 1
            line = substr(line, 3)
        } else if (what == "\"" ? match(line, /^"([^"\\]|\\.)*"/) \
                                : match(line, /^\047([^\047\\]|\\.)*\047/)) {
            code = code "\"\""
            line = substr(line, RLENGTH + 1)
        } else { # an apostrophe in an #error, say
            return code what
        }
    }
}

function read_code(line, number, code) {
    code = bare(line)
    sub(/[ \t\r]+$/, "", code)
    if (code_in_src) {
        code_lines[code_suffix]++
        if (has_comment && line ~ /[^ \t]/) {
            any_comment[code_suffix]++
            if (code == "")
                only_comment[code_suffix]++
        }
    }
    if (in_directive || code ~ /^[ \t]*#/) {
        in_directive = code ~ /\\$/
        if (code !~ /^[ \t]*#[ \t]*include/)
            note_calls(code)
        return
    }
    if (code_in_src && code_suffix == "h")
        note_tags(code)
    if (in_function) {
        note_calls(code)
        if (code ~ /^[}]/)
            end_function(number)
    } else if (in_braces) {
        note_calls(code)
        in_braces += braces(code)
        # A brace left open on one side of an #if must not hide the rest of the file.
        if (in_braces < 0 || code ~ /^[}][^{]*$/)
            in_braces = 0
    } else if (code == "") {
        if (!has_comment)
            head = ""
    } else {
        read_head(code, number)
    }
}

function braces(code, open) {
    open = gsub(/[{]/, "{", code)
    return open - gsub(/[}]/, "}", code)
}

# A line outside all braces: gathers lines until it is clear what they declare or define.
function read_head(code, number) {
    if (code == "{") {
        if (index(head, "(") && !index(head, "="))
            begin_function()
        else
            in_braces = 1
        head = ""
        return
    }
    if (head == "") {
        if (code !~ /^[A-Za-z_]/)
            return
        head_line = number
        head = code
    } else {
        head = head "\n" code
    }
    if (code ~ /[{]$/) {
        # What extern "C" holds stands in column 0 all the same.
        in_braces = head ~ /^extern ""/ ? 0 : braces(head)
        head = ""
    } else if (code ~ /;$/ && braces(head) == 0) {
        if (index(head, "="))
            note_calls(head)
        else if (head !~ /^typedef/ && index(head, "("))
            note_declaration()
        head = ""
    }
}

# Takes `head` apart: fun_name, fun_line, fun_params, fun_is_static. The last name followed by
# parentheses is the function, unless it is an attribute, or in capitals behind a name that is not:
# a macro.
function parse_head(text, before, depth, mark, word, commas, line, start, is_wanted) {
    text = head
    before = fun_name = ""
    depth = 0
    line = fun_line = head_line
    while (match(text, /[(),\n]/)) {
        mark = substr(text, RSTART, 1)
        before = before substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + 1)
        if (mark == "\n") {
            line++
            before = before " "
            continue
        }
        if (mark == "(" && depth++ == 0) {
            is_wanted = 0
            if (match(before, /[A-Za-z_][A-Za-z_0-9]*[ \t]*$/)) {
                word = substr(before, RSTART)
                sub(/[ \t]+$/, "", word)
                is_wanted = word != "__attribute__" && (word ~ /[a-z]/ || fun_name !~ /[a-z]/)
            }
            if (is_wanted) {
                fun_name = word
                fun_line = line
                word = " " substr(before, 1, RSTART - 1) " "
                fun_is_static = word ~ /[^A-Za-z_0-9]static[^A-Za-z_0-9]/
            }
            commas = 0
            start = length(before) + 1
        } else if (mark == "," && depth == 1) {
            commas++
        } else if (mark == ")" && --depth == 0 && is_wanted) {
            word = substr(before, start + 1)
            fun_params = word ~ /^[ \t]*(void)?[ \t]*$/ ? 0 : commas + 1
        }
        before = before mark
    }
    return fun_name != ""
}

function begin_function() {
    in_function = 1
    if (!parse_head())
        fun_name = "?"
    # Variants below #if are one function.
    if (code_in_src && code_suffix == "c" && !fun_is_static && fun_name ~ /^dgm_/ &&
        !((code_unit, fun_name) in is_exported)) {
        is_exported[code_unit, fun_name] = 1
        exported_name[++exported] = fun_name
        exported_base[exported] = code_base
        exported_unit[exported] = unit_number[code_unit]
    }
}

function end_function(number) {
    in_function = 0
    add("functions " code_series, number - fun_line + 1, fun_name ", " code_file)
    add("parameters " code_series, fun_params, fun_name)
}

# A declaration at the top of a header; one in a .c file is for that file alone.
function note_declaration() {
    if (code_suffix == "h" && parse_head() && fun_name ~ /^dgm_/) {
        if (code_series == "src")
            declared[fun_name] = declared[fun_name] " " code_base " "
        else
            public[fun_name] = 1
    }
}

function note_calls(code, name, end) {
    if (!code_in_src)
        return
    while (match(code, /dgm_[A-Za-z_0-9]*[ \t]*\(/)) {
        end = RSTART + RLENGTH
        name = substr(code, RSTART, RLENGTH - 1)
        if (RSTART == 1 || substr(code, RSTART - 1, 1) !~ /[A-Za-z_0-9]/) {
            sub(/[ \t]+$/, "", name)
            if (!((code_unit, name) in called)) {
                called[code_unit, name] = 1
                call_unit[++calls] = unit_number[code_unit]
                call_name[calls] = name
            }
        }
        code = substr(code, end)
    }
}

function note_tags(code, tag) {
    while (match(code, /(struct|enum|union)[ \t]+[A-Za-z_][A-Za-z_0-9]*[ \t]*[{]/)) {
        tag = substr(code, RSTART, RLENGTH - 1)
        code = substr(code, RSTART + RLENGTH)
        sub(/[ \t]+$/, "", tag)
        sub(/^.*[ \t]/, "", tag)
        if ((tag, code_file) in tag_seen)
            continue
        tag_seen[tag, code_file] = 1
        if (!(tag in tag_count))
            tag_name[++tags] = tag
        tag_count[tag]++
        tag_files[tag] = tag_files[tag] " " code_file
    }
}

# ---- the tables --------------------------------------------------------------------------------

function percent(part, whole) {
    return sprintf("%d (%.1f %%)", part, whole > 0 ? 100 * part / whole : 0)
}

function print_files(i, area, count) {
    printf "%-16s %6s %7s %6s %5s %5s %8s  %s\n", "files", "number", "lines", "median", "p90",
        "max", "below 50", "longest"
    count = split("src and include/opencl/tests/scripts", area, "/")
    for (i = 1; i <= count; i++)
        printf "%-16s %6d %7d %6d %5d %5d %8d  %s\n", area[i], total["files " area[i]],
            sum["files " area[i]], quantile("files " area[i], 0.5), quantile("files " area[i], 0.9),
            most["files " area[i]], short[area[i]], most_name["files " area[i]]
}

function print_functions(i, series, count) {
    printf "\n%-16s %6s %7s %6s %5s %5s %5s  %s\n", "functions", "number", "lines", "median", "p90",
        "p99", "max", "longest"
    count = split("src opencl", series, " ")
    for (i = 1; i <= count; i++)
        printf "%-16s %6d %7d %6d %5d %5d %5d  %s\n", series[i], total["functions " series[i]],
            sum["functions " series[i]], quantile("functions " series[i], 0.5),
            quantile("functions " series[i], 0.9), quantile("functions " series[i], 0.99),
            most["functions " series[i]], most_name["functions " series[i]]
    print "\nparameters of functions, as written (a macro counts as one)"
    for (i = 1; i <= count; i++)
        printf "%-16s median %d, p90 %d, max %d: %s\n", series[i],
            quantile("parameters " series[i], 0.5), quantile("parameters " series[i], 0.9),
            most["parameters " series[i]], most_name["parameters " series[i]]
}

function print_folders(i, folder, largest_src, largest_tests, full) {
    for (i = 1; i <= folders; i++) {
        folder = folder_name[i]
        if (folder ~ /^src/) {
            full += in_folder[folder] > 20
            if (in_folder[folder] > in_folder[largest_src])
                largest_src = folder
        } else if (in_folder[folder] > in_folder[largest_tests])
            largest_tests = folder
    }
    print "\nfolders, .c and .h directly in them"
    printf "largest: %s %d, %s %d\n", largest_src, in_folder[largest_src], largest_tests,
        in_folder[largest_tests]
    printf "of src with more than 20 files: %d\n", full
    for (i = 1; i <= folders; i++)
        if (folder_name[i] ~ /^src/ && in_folder[folder_name[i]] > 20)
            printf "    %4d %s\n", in_folder[folder_name[i]], folder_name[i]
}

function print_comments(i, suffix, count) {
    print "\ncomments in src, of all lines"
    count = split("c h", suffix, " ")
    for (i = 1; i <= count; i++)
        printf "*.%s: %d lines; %s only comment, %s with any comment\n", suffix[i],
            code_lines[suffix[i]], percent(only_comment[suffix[i]], code_lines[suffix[i]]),
            percent(any_comment[suffix[i]], code_lines[suffix[i]])
}

function print_exported(i, name, own, elsewhere, dragoman, none, strange) {
    for (i = 1; i <= exported; i++) {
        name = exported_name[i]
        if (index(declared[name], " " exported_base[i] " "))
            own++
        else if (declared[name] != "")
            elsewhere++
        else if (name in public)
            dragoman++
        else
            none++
        strange += !index(name, exported_base[i])
    }
    printf "\nexported functions (dgm_, not static, in .c files of src): %d\n", exported
    printf "declared in the header of the same name: %s\n", percent(own, exported)
    printf "declared elsewhere: %s\n", percent(elsewhere + dragoman, exported)
    printf "    in another header of src %d, in include/ alone %d\n", elsewhere, dragoman
    printf "declared in no header, but by a macro or in a .c file: %s\n", percent(none, exported)
    printf "named without the base name of their file: %s\n", percent(strange, exported)
}

# ---- circles -----------------------------------------------------------------------------------

# An arrow leads from each unit to the units whose exported functions it calls.
function make_arrows(i, j, name, count, home) {
    for (i = 1; i <= exported; i++)
        homes[exported_name[i]] = homes[exported_name[i]] " " exported_unit[i]
    for (i = 1; i <= calls; i++) {
        name = call_name[i]
        if (!(name in homes))
            continue
        count = split(homes[name], home, " ")
        for (j = 1; j <= count; j++)
            make_arrow(call_unit[i], home[j])
    }
}

function make_arrow(from, to) {
    if (from != to && !((from, to) in is_arrow)) {
        is_arrow[from, to] = 1
        arrow[from, ++arrows_of[from]] = to
        arrows++
    }
}

# Strongly connected components by Tarjan, with a stack of our own (path) for the walk.
function find_circles(root, v, w, depth) {
    for (root = 1; root <= units; root++) {
        if (order[root])
            continue
        path[depth = 1] = root
        enter(root)
        while (depth > 0) {
            v = path[depth]
            if (next_arrow[v] < arrows_of[v]) {
                w = arrow[v, ++next_arrow[v]]
                if (!order[w]) {
                    enter(w)
                    path[++depth] = w
                } else if (is_open[w] && order[w] < low[v])
                    low[v] = order[w]
            } else {
                if (low[v] == order[v])
                    close_circle(v)
                depth--
                if (depth > 0 && low[v] < low[path[depth]])
                    low[path[depth]] = low[v]
            }
        }
    }
}

function enter(v) {
    order[v] = low[v] = ++entered
    open_unit[++open_units] = v
    is_open[v] = 1
}

function close_circle(v, w) {
    do {
        w = open_unit[open_units--]
        is_open[w] = 0
        circle_of[w] = v
        circle_size[v]++
    } while (w != v)
}

function print_circles(i, v, size, count, inside, line) {
    make_arrows()
    find_circles()
    for (v = 1; v <= units; v++)
        if (circle_size[v] > 1) {
            count++
            inside += circle_size[v]
            if (circle_size[v] > size)
                size = circle_size[v]
        }
    printf "\ncircles of units (a unit: x.c and x.h of one folder; an arrow: calls by name)\n"
    printf "%d units, %d arrows, %d circles with %d units\n", units, arrows, count, inside
    for (; size > 1; size--)
        for (v = 1; v <= units; v++) {
            if (circle_size[v] != size)
                continue
            line = sprintf("%6d:", size)
            for (i = 1; i <= units; i++) {
                if (circle_of[i] != v)
                    continue
                if (length(line) + length(unit_name[i]) > 98) {
                    print line
                    line = "       "
                }
                line = line " " unit_name[i]
            }
            print line
        }
}

# ---- the rest ----------------------------------------------------------------------------------

function print_tags(i, count) {
    for (i = 1; i <= tags; i++)
        count += tag_count[tag_name[i]] > 1
    printf "\ntags with a body in more than one header of src: %d\n", count
    for (i = 1; i <= tags; i++)
        if (tag_count[tag_name[i]] > 1)
            printf "    %s:%s\n", tag_name[i], tag_files[tag_name[i]]
}

function print_task(i) {
    printf "\nfiles of src, include, opencl and tests that name the task %s: %d\n", task, task_files
    for (i = 1; i <= task_files; i++)
        print "    " task_file[i]
}
'
