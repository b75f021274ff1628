/*
 * tree_rows.c: a tree with one word on each line, for sentences too wide to stand in one.
 *
 *       ╭▸ Economic  ADJ   amod
 *     ╭▸┴─ news      NOUN  nsubj
 *     ├─── had       VERB  root
 *     │ ╭▸ little    ADJ   amod
 *     ╰▸┴─ effect    NOUN  obj
 *
 * Each head has one vertical bar from its first to its last dependent or itself. Bars take
 * columns from the right to the left, the deepest heads first, each one outside all that it
 * overlaps, so that the lines of a projective tree do not cross; elsewhere a line passes behind
 * the bars of others. A word's arrow comes from the left, its own bar starts behind the
 * arrowhead.
 */
#include "draw/tree/tree_rows.h"

#include <string.h>

#include "base/mem.h"
#include "draw/tree/box_lines.h"

/* With the most of a tag, a label and two numbers, DGM_TREE_PICTURE_MIN_WIDTH leaves room for a
 * form. */
enum { GAP = 2, LEAST_FORM = 12, MOST_TAG = 8, MOST_LABEL = 18 };

struct bars {
    const struct dgm_tree *tree;
    int32_t *first, *last; /* (n) words that the bar of a head reaches */
    int32_t *column;       /* (n) from 1, counted from the right; 0: no dependents */
    int32_t *active;       /* (columns + 1) head whose bar is there, + 1; 0: none */
    int32_t *starts;       /* (n) first head, + 1, whose bar starts at a word; 0: none */
    int32_t *next;         /* (n) the next of these */
    int32_t columns;
};

/* Widths of the columns of text; 0: not there. */
struct table {
    int32_t number, form, tag, label, head;
};

/* ---- bars -------------------------------------------------------------------------------- */

static void set_spans(struct bars *bars)
{
    const struct dgm_tree *tree = bars->tree;
    int32_t word;
    for (word = 0; word < tree->count; word++)
        bars->first[word] = bars->last[word] = word;
    for (word = 0; word < tree->count; word++) {
        int32_t head = tree->head[word];
        if (bars->first[head] > word)
            bars->first[head] = word;
        if (bars->last[head] < word)
            bars->last[head] = word;
    }
}

/* order: the heads before their dependents; height: (n) zeros. */
static void set_columns(struct bars *bars, const int32_t *order, int32_t *height)
{
    int32_t i, at;
    for (i = bars->tree->count - 1; i >= 0; i--) {
        int32_t word = order[i], most = 0;
        if (bars->first[word] == bars->last[word])
            continue;
        for (at = bars->first[word]; at <= bars->last[word]; at++)
            if (height[at] > most)
                most = height[at];
        for (at = bars->first[word]; at <= bars->last[word]; at++)
            height[at] = most + 1;
        bars->column[word] = most + 1;
        if (bars->columns <= most)
            bars->columns = most + 1;
        bars->next[word] = bars->starts[bars->first[word]];
        bars->starts[bars->first[word]] = word + 1;
    }
}

/* work: (7n + 1) zeros, the last 2n of which are used here only. */
static dgm_status make_bars(struct dgm_env *env, struct bars *bars, const struct dgm_tree *tree,
                            int32_t *work)
{
    size_t n = (size_t)tree->count;
    int32_t *depth, *order;
    memset(bars, 0, sizeof *bars);
    bars->tree = tree;
    bars->first = work;
    bars->last = bars->first + n;
    bars->column = bars->last + n;
    bars->starts = bars->column + n;
    bars->next = bars->starts + n;
    depth = bars->next + n;
    order = depth + n;
    bars->active = depth;
    if (!tree->has_parse)
        return DGM_OK;
    dgm_tree_depths(depth, tree);
    DGM_TRY(dgm_tree_order(env, order, depth, tree));
    memset(depth, 0, n * sizeof *depth);
    set_spans(bars);
    set_columns(bars, order, depth);
    memset(bars->active, 0, (n + 1) * sizeof *bars->active);
    return DGM_OK;
}

static void start_bars(struct bars *bars, int32_t word)
{
    int32_t head;
    for (head = bars->starts[word]; head > 0; head = bars->next[head - 1])
        bars->active[bars->column[head - 1]] = head;
}

/* Directions of the cell where a bar meets the line of a word. */
static unsigned cross(const struct bars *bars, int32_t head, int32_t word, int has_line)
{
    unsigned cell = 0;
    if (word > bars->first[head])
        cell |= DGM_LINE_UP;
    if (word < bars->last[head])
        cell |= DGM_LINE_DOWN;
    if (word == head || bars->tree->head[word] == head)
        cell |= DGM_LINE_RIGHT | (has_line ? DGM_LINE_LEFT : 0U);
    return cell;
}

/* Where the arrowhead stands: before the word's own bar, or before the word. */
static int is_arrow(const struct bars *bars, int32_t word, int32_t column)
{
    return bars->tree->head[word] != word && bars->column[word] == column - 1;
}

static dgm_status write_bars(struct dgm_env *env, struct bars *bars, struct dgm_buf *out,
                             int32_t word, int ascii)
{
    int32_t column, has_line = 0;
    start_bars(bars, word);
    for (column = bars->columns; column > 0; column--) {
        int32_t head = bars->active[column] - 1;
        unsigned cell = has_line ? DGM_LINE_LEFT | DGM_LINE_RIGHT : 0U;
        if (head >= 0) {
            cell = cross(bars, head, word, has_line);
            has_line |= (cell & DGM_LINE_RIGHT) != 0;
            if (bars->last[head] == word)
                bars->active[column] = 0;
        }
        DGM_TRY(dgm_buf_add_text(env, out, dgm_line_glyph(cell, ascii)));
        cell = has_line ? DGM_LINE_LEFT | DGM_LINE_RIGHT : 0U;
        DGM_TRY(dgm_buf_add_text(env, out,
                                 has_line && is_arrow(bars, word, column)
                                     ? dgm_line_arrow_right(ascii)
                                     : dgm_line_glyph(cell, ascii)));
    }
    return bars->columns > 0 ? dgm_buf_add_char(env, out, ' ') : DGM_OK;
}

/* ---- the table --------------------------------------------------------------------------- */

static int32_t widest(const struct dgm_captions *captions, enum dgm_caption kind)
{
    int32_t word, most = 0;
    for (word = 0; word < captions->count; word++)
        if (dgm_caption_columns(captions, word, kind) > most)
            most = dgm_caption_columns(captions, word, kind);
    return most;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* What the forms may take when `used` columns are taken by arcs or numbers. */
static int32_t room_for_forms(const struct table *table, int32_t width, int32_t used)
{
    return width - used - (table->tag > 0 ? GAP + table->tag : 0) -
           (table->label > 0 ? GAP + table->label : 0);
}

static int32_t digits_of(int32_t number)
{
    int32_t digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* Gives up the bars for numbers of heads where they leave no room for the words. */
static void make_table(const struct dgm_tree_picture *picture, struct bars *bars,
                       struct table *table)
{
    const struct dgm_captions *captions = &picture->captions;
    int32_t width = picture->style.width, digits = digits_of(captions->count), room;
    int32_t form = widest(captions, DGM_CAPTION_FORM);
    memset(table, 0, sizeof *table);
    table->tag = least(widest(captions, DGM_CAPTION_TAG), MOST_TAG);
    table->label =
        least(widest(captions, DGM_CAPTION_LABEL), width / 4 > MOST_LABEL ? width / 4 : MOST_LABEL);
    room = width < 2 * bars->columns + 1
               ? 0
               : room_for_forms(table, width, bars->columns > 0 ? 2 * bars->columns + 1 : 0);
    if (room < form && room < LEAST_FORM) {
        bars->columns = 0;
        table->number = table->head = digits;
        room = room_for_forms(table, width, 2 * digits + 3 * GAP);
    }
    table->form = least(form, room);
}

/* A text in a column of the table, tags and labels behind a gap; the last one of a line has no
 * blanks behind it. */
static dgm_status write_cell(struct dgm_env *env, const struct dgm_tree_picture *picture,
                             struct dgm_buf *out, int32_t word, enum dgm_caption kind,
                             int32_t width, int is_last)
{
    const char *text = dgm_caption(&picture->captions, word, kind);
    int32_t columns;
    if (kind != DGM_CAPTION_FORM && width == 0)
        return DGM_OK;
    DGM_TRY(dgm_line_blanks(env, out, kind != DGM_CAPTION_FORM ? GAP : 0));
    DGM_TRY(dgm_caption_add(env, out, text, strlen(text), width,
                            dgm_line_ellipsis(picture->style.ascii), &columns));
    return is_last ? DGM_OK : dgm_line_blanks(env, out, width - columns);
}

static dgm_status write_number(struct dgm_env *env, struct dgm_buf *out, int32_t number,
                               int32_t width)
{
    DGM_TRY(dgm_line_blanks(env, out, width - digits_of(number)));
    return dgm_buf_add_format(env, out, "%ld", (long)number);
}

static void trim(struct dgm_buf *out, size_t start)
{
    while (out->size > start && out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
}

static dgm_status write_row(struct dgm_env *env, const struct dgm_tree_picture *picture,
                            struct bars *bars, const struct table *table, struct dgm_buf *out,
                            int32_t word)
{
    const struct dgm_tree *tree = bars->tree;
    size_t start = out->size;
    if (table->number > 0) {
        DGM_TRY(write_number(env, out, word + 1, table->number));
        DGM_TRY(dgm_line_blanks(env, out, GAP));
    } else {
        DGM_TRY(write_bars(env, bars, out, word, picture->style.ascii));
    }
    DGM_TRY(write_cell(env, picture, out, word, DGM_CAPTION_FORM, table->form, 0));
    DGM_TRY(write_cell(env, picture, out, word, DGM_CAPTION_TAG, table->tag, 0));
    DGM_TRY(write_cell(env, picture, out, word, DGM_CAPTION_LABEL, table->label, table->head == 0));
    if (table->head > 0 && tree->has_parse) {
        DGM_TRY(dgm_line_blanks(env, out, GAP));
        DGM_TRY(write_number(env, out, tree->head[word] == word ? 0 : tree->head[word] + 1,
                             table->head));
    }
    trim(out, start);
    return dgm_buf_add_char(env, out, '\n');
}

dgm_status dgm_tree_rows(struct dgm_env *env, const struct dgm_tree_picture *picture,
                         struct dgm_buf *out, const struct dgm_tree *tree)
{
    struct bars bars;
    struct table table;
    dgm_status status;
    int32_t word, *work;
    DGM_TRY(dgm_new(env, &work, 7 * (size_t)tree->count + 1, sizeof *work));
    DGM_TRY_OUT(make_bars(env, &bars, tree, work));
    make_table(picture, &bars, &table);
    for (word = 0; word < tree->count; word++)
        DGM_TRY_OUT(write_row(env, picture, &bars, &table, out, word));
    status = DGM_OK;
out:
    dgm_release(env, work);
    return status;
}
