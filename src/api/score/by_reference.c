/* by_reference.c: the words of a reference, each in its group. */
#include <string.h>

#include "api/score/by.h"
#include "base/lines/lines.h"
#include "base/mem.h"
#include "syntax/conllu/conllu_reader.h"
#include "text/unicode/unicode.h"

/* ---- groups -------------------------------------------------------------------------------- */

dgm_status dgm_by_group_of(struct dgm_score_by *by, const struct dgm_by_word *word, uint32_t *group)
{
    struct dgm_env *env = &by->context->env;
    const size_t before = by->names.count;
    struct dgm_by_group found;
    by->by->group(word, &found);
    DGM_TRY(dgm_map_number(env, &by->names, found.name, strlen(found.name), group));
    if (by->names.count == before)
        return DGM_OK;
    if (by->names.count > DGM_BY_MOST_GROUPS)
        return dgm_fail(env, DGM_DATA, "--by %s: more than %d groups; expected fewer", by->by->name,
                        DGM_BY_MOST_GROUPS);
    DGM_TRY(dgm_grow(env, &by->places, &by->place_capacity, before, sizeof *by->places));
    by->places[before] = found.place;
    return DGM_OK;
}

dgm_status dgm_by_group_of_key(struct dgm_score_by *by, uint32_t key, int32_t words,
                               uint32_t *group)
{
    const struct dgm_map *map = &dgm_by_cutter(by)->words;
    const struct dgm_map_entry *entry = &map->entries[key], *seen;
    struct dgm_by_word word = { .text = dgm_map_key(map, entry),
                                .bytes = entry->length,
                                .words = words };
    seen = dgm_map_find(&by->seen, word.text, word.bytes);
    word.seen = seen != NULL ? seen->value : 0;
    return dgm_by_group_of(by, &word, group);
}

/* ---- the training text --------------------------------------------------------------------- */

static dgm_status count_line(struct dgm_env *env, struct dgm_score_by *by,
                             const struct dgm_buf *line)
{
    struct dgm_bleu *cutter = dgm_by_cutter(by);
    struct dgm_metric_text text = { line->data, line->size };
    size_t count;
    DGM_TRY(dgm_bleu_words(env, cutter, &count, text));
    for (size_t i = 0; i < count; i++) {
        const struct dgm_map_entry *word = &cutter->words.entries[cutter->items[i]];
        DGM_TRY(dgm_map_count(env, &by->seen, dgm_map_key(&cutter->words, word), word->length, 1));
    }
    return DGM_OK;
}

static dgm_status count_text(struct dgm_score_by *by, const char *path)
{
    struct dgm_env *env = &by->context->env;
    struct dgm_lines lines = { 0 };
    dgm_status status;
    int more;
    DGM_TRY(dgm_lines_open(env, &lines, path));
    for (;;) {
        DGM_TRY_OUT(dgm_poll(env));
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (!more)
            break;
        DGM_TRY_OUT(count_line(env, by, &lines.line));
    }
    if (lines.number == 0)
        status = dgm_fail_at(env, DGM_DATA, dgm_lines_name(path), 0, 0,
                             "no line; expected the text whose words --by frequency counts");
out:
    dgm_lines_close(env, &lines);
    return status;
}

/* ---- words --------------------------------------------------------------------------------- */

static dgm_status add_token(struct dgm_env *env, struct dgm_score_by *by, uint32_t word,
                            uint32_t group)
{
    DGM_TRY(dgm_grow(env, &by->tokens, &by->token_capacity, by->token_count, sizeof *by->tokens));
    by->tokens[by->token_count].word = word;
    by->tokens[by->token_count++].group = group;
    by->names.entries[group].value += !by->by->of_lines;
    return DGM_OK;
}

static dgm_status end_line(struct dgm_env *env, struct dgm_score_by *by)
{
    DGM_TRY(dgm_grow(env, &by->ends, &by->line_capacity, by->line_count, sizeof *by->ends));
    by->ends[by->line_count++] = by->token_count;
    return DGM_OK;
}

/* A line without trees. Of lines that are grouped the first token tells the group, and there is
 * one, be it of no word. */
static dgm_status add_plain(struct dgm_env *env, struct dgm_score_by *by,
                            struct dgm_metric_text text)
{
    struct dgm_bleu *cutter = dgm_by_cutter(by);
    const struct dgm_by_word line = { .text = "" };
    uint32_t group;
    size_t count;
    DGM_TRY(dgm_bleu_words(env, cutter, &count, text));
    for (size_t i = 0; i < count; i++) {
        DGM_TRY(dgm_by_group_of_key(by, cutter->items[i], (int32_t)count, &group));
        DGM_TRY(add_token(env, by, cutter->items[i], group));
    }
    if (count == 0 && by->by->of_lines) {
        DGM_TRY(dgm_by_group_of(by, &line, &group));
        DGM_TRY(add_token(env, by, 0, group));
    }
    if (by->by->of_lines)
        by->names.entries[by->tokens[by->token_count - 1].group].value++;
    return end_line(env, by);
}

/* ---- trees --------------------------------------------------------------------------------- */

struct tree_work {
    struct dgm_env *env;
    struct dgm_score_by *by;
    struct dgm_lines lines; /* the reference */
    const char *trees;      /* their file, for messages */
    struct dgm_buf surface, lowered;
    int32_t *depths; /* of the words of a tree */
    size_t depth_capacity;
};

/* The word that stands for a token: of several the first whose head is outside. */
static int32_t word_of(const struct dgm_conllu_sentence *sentence, const struct dgm_conllu_row *row)
{
    const int32_t *head = sentence->tree.head;
    for (int32_t w = row->first - 1; w < row->last; w++)
        if (head[w] == w || head[w] < row->first - 1 || head[w] >= row->last)
            return w;
    return row->first - 1;
}

/* Without blanks: tokens may hold them, lines have them between. */
static dgm_status add_surface(struct dgm_env *env, struct dgm_buf *out, const char *text,
                              size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == ' ' || text[i] == '\t')
            continue;
        if (i + 1 < bytes && text[i] == '\xC2' && text[i + 1] == '\xA0')
            i++;
        else
            DGM_TRY(dgm_buf_add_char(env, out, text[i]));
    }
    return DGM_OK;
}

static dgm_status number_form(struct tree_work *work, const char *form, uint32_t *number)
{
    struct dgm_bleu *cutter = dgm_by_cutter(work->by);
    size_t length = strlen(form);
    dgm_buf_reset(&work->lowered);
    if (cutter->options.lower) {
        DGM_TRY(dgm_unicode_lower_text(work->env, &work->lowered, form, length));
        form = work->lowered.data;
        length = work->lowered.size;
    }
    return dgm_map_number(work->env, &cutter->words, form, length, number);
}

static dgm_status add_row(struct tree_work *work, const struct dgm_conllu_sentence *sentence,
                          const struct dgm_conllu_row *row)
{
    const struct dgm_tree *tree = &sentence->tree;
    const char *form = dgm_conllu_row_text(sentence, row, DGM_CONLLU_FORM);
    const int32_t w = word_of(sentence, row);
    struct dgm_by_word word = { .text = form, .bytes = strlen(form), .words = tree->count };
    char relation[40];
    size_t length;
    uint32_t number, group;
    form = dgm_conllu_field(sentence, w, DGM_CONLLU_DEPREL);
    length = strcspn(form, ":");
    length = length < sizeof relation ? length : sizeof relation - 1;
    memcpy(relation, form, length);
    relation[length] = '\0';
    word.relation = relation;
    word.distance = tree->head[w] > w ? tree->head[w] - w : w - tree->head[w];
    word.depth = work->depths[w];
    DGM_TRY(add_surface(work->env, &work->surface, word.text, word.bytes));
    DGM_TRY(number_form(work, word.text, &number));
    DGM_TRY(dgm_by_group_of(work->by, &word, &group));
    return add_token(work->env, work->by, number, group);
}

static dgm_status add_rows(struct tree_work *work, const struct dgm_conllu_sentence *sentence)
{
    int32_t covered = 0;
    for (size_t i = 0; i < sentence->row_count; i++) {
        const struct dgm_conllu_row *row = &sentence->rows[i];
        if (row->kind == DGM_CONLLU_EMPTY ||
            (row->kind == DGM_CONLLU_WORD && row->first <= covered))
            continue;
        if (row->kind == DGM_CONLLU_RANGE)
            covered = row->last;
        DGM_TRY(add_row(work, sentence, row));
    }
    return DGM_OK;
}

/* The trees are those of the reference: line by line the same characters. */
static dgm_status check_surface(struct tree_work *work, const struct dgm_conllu_sentence *sentence)
{
    const struct dgm_buf *line = &work->lines.line;
    struct dgm_buf text = { 0 };
    dgm_status status;
    int is_same;
    DGM_TRY_OUT(dgm_buf_add(work->env, &text, "", 0));
    DGM_TRY_OUT(add_surface(work->env, &text, line->data, line->size));
    is_same =
        text.size == work->surface.size && memcmp(text.data, work->surface.data, text.size) == 0;
    if (!is_same)
        status = dgm_fail_at(work->env, DGM_DATA, work->trees, sentence->line, 0,
                             "a tree of other words than line %ld of %s; expected those of the "
                             "reference, line by line",
                             work->lines.number, dgm_lines_name(work->lines.path));
out:
    dgm_buf_clear(work->env, &text);
    return status;
}

/* Leaves out the words that no system could have, as lines are cut otherwise than the trees: what
 * remains of the last line are words of the reference, which itself has all of them. */
static dgm_status keep_common(struct tree_work *work)
{
    struct dgm_score_by *by = work->by;
    struct dgm_bleu *cutter = dgm_by_cutter(by);
    const struct dgm_metric_text text = { work->lines.line.data, work->lines.line.size };
    const size_t start = by->line_count > 0 ? by->ends[by->line_count - 1] : 0;
    const size_t end = by->token_count;
    size_t count;
    DGM_TRY(dgm_bleu_words(work->env, cutter, &count, text));
    DGM_TRY(dgm_by_make_room(by));
    for (size_t i = 0; i < count; i++)
        by->have[cutter->items[i]]++;
    by->token_count = start;
    for (size_t i = start; i < end; i++) {
        const struct dgm_by_token token = by->tokens[i];
        if (by->have[token.word] > 0) {
            by->have[token.word]--;
            by->tokens[by->token_count++] = token;
        } else {
            by->names.entries[token.group].value--;
            by->cut_otherwise++;
        }
    }
    for (size_t i = 0; i < count; i++)
        by->have[cutter->items[i]] = 0;
    return DGM_OK;
}

static dgm_status add_tree(struct tree_work *work, const struct dgm_conllu_sentence *sentence)
{
    int more;
    DGM_TRY(dgm_lines_next(work->env, &work->lines, &more));
    if (!more)
        return dgm_fail_at(work->env, DGM_DATA, work->trees, sentence->line, 0,
                           "more trees than %s has lines, %ld; expected as many",
                           dgm_lines_name(work->lines.path), work->lines.number);
    dgm_buf_reset(&work->surface);
    DGM_TRY(dgm_buf_add(work->env, &work->surface, "", 0));
    DGM_TRY(dgm_reserve(work->env, &work->depths, &work->depth_capacity,
                        (size_t)sentence->tree.count, sizeof *work->depths));
    dgm_tree_depths(work->depths, &sentence->tree);
    DGM_TRY(add_rows(work, sentence));
    DGM_TRY(check_surface(work, sentence));
    DGM_TRY(keep_common(work));
    return end_line(work->env, work->by);
}

static dgm_status each_tree(struct dgm_env *env, void *user,
                            const struct dgm_conllu_sentence *sentence)
{
    (void)env;
    return add_tree(user, sentence);
}

static dgm_status read_trees(struct dgm_score_by *by, const char *reference, const char *trees)
{
    const struct dgm_conllu_options options = { .multi_root = DGM_MULTI_ROOT_KEEP,
                                                .allow_empty = 1 };
    struct tree_work work = { .env = &by->context->env, .by = by, .trees = dgm_lines_name(trees) };
    dgm_status status;
    int more;
    DGM_TRY(dgm_lines_open(work.env, &work.lines, reference));
    DGM_TRY_OUT(dgm_conllu_reader_each(work.env, trees, &options, each_tree, &work));
    DGM_TRY_OUT(dgm_lines_next(work.env, &work.lines, &more));
    if (more)
        status = dgm_fail_at(work.env, DGM_DATA, dgm_lines_name(trees), 0, 0,
                             "%zu trees, and %s has more lines; expected as many", by->line_count,
                             dgm_lines_name(reference));
    if (status == DGM_OK && by->cut_otherwise > 0)
        dgm_log(work.env, DGM_LOG_WARNING,
                "%ld of %zu words of %s are cut otherwise in %s, and left out; see --tokenize",
                by->cut_otherwise, by->token_count + (size_t)by->cut_otherwise,
                dgm_lines_name(trees), dgm_lines_name(reference));
out:
    dgm_lines_close(work.env, &work.lines);
    dgm_buf_clear(work.env, &work.surface);
    dgm_buf_clear(work.env, &work.lowered);
    dgm_release(work.env, work.depths);
    return status;
}

static dgm_status read_plain(struct dgm_score_by *by, const char *path)
{
    struct dgm_env *env = &by->context->env;
    struct dgm_lines lines = { 0 };
    dgm_status status;
    int more;
    DGM_TRY(dgm_lines_open(env, &lines, path));
    for (;;) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (!more)
            break;
        DGM_TRY_OUT(
            add_plain(env, by, (struct dgm_metric_text){ lines.line.data, lines.line.size }));
    }
    if (by->line_count == 0)
        status =
            dgm_fail_at(env, DGM_DATA, dgm_lines_name(path), 0, 0, "no line; expected at least 1");
out:
    dgm_lines_close(env, &lines);
    return status;
}

dgm_status dgm_by_read_reference(struct dgm_score_by *by, const struct dgm_score_by_asked *asked)
{
    if (by->by->needs & DGM_BY_TEXT)
        DGM_TRY(count_text(by, asked->text));
    return by->by->needs & DGM_BY_TREES ? read_trees(by, asked->reference, asked->trees)
                                        : read_plain(by, asked->reference);
}
