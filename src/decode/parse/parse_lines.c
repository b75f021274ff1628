/*
 * parse_lines.c: encoded lines to a parser, and their heads and features back.
 */
#include "decode/parse/parse_lines.h"

#include <string.h>

#include "base/mem.h"
#include "decode/parse/parse_lines_cut.h"
#include "text/bpe/word_counts.h"

enum { BATCH_WORDS = 2000 };

const struct dgm_vocab *dgm_parse_lines_gives(const struct dgm_parser *parser,
                                              enum dgm_feature_kind kind)
{
    if (kind == DGM_FEATURE_DEPREL)
        return &parser->lexicon.labels;
    return kind == DGM_FEATURE_UPOS && parser->tags > 0 ? &parser->lexicon.tags : NULL;
}

/* The number that each class of the parser has among the names of a feature. Where most have none,
 * the trees of the model are of another kind than the parser's. */
static dgm_status map_classes(struct dgm_env *env, int32_t **number_of,
                              const struct dgm_vocab *classes, const struct dgm_feature *feature,
                              const char *title)
{
    int32_t count = (int32_t)dgm_lexicon_classes(classes), unknown = 0;

    DGM_TRY(dgm_new(env, number_of, (size_t)count, sizeof **number_of));
    for (int32_t i = 0; i < count; i++) {
        (*number_of)[i] = dgm_feature_find(feature, dgm_lexicon_class_name(classes, i));
        unknown += (*number_of)[i] < 0;
    }
    if (unknown > count / 2)
        dgm_log(env, DGM_LOG_WARNING,
                "the model does not know %d of the %d %ss of the parser; expected a parser of the "
                "trees that it learned from",
                (int)unknown, (int)count, title);
    return DGM_OK;
}

dgm_status dgm_parse_lines_init(struct dgm_env *env, struct dgm_parse_lines *lines,
                                struct dgm_parser *parser, const struct dgm_pipeline *pipeline,
                                const struct dgm_features *features)
{
    DGM_TRY(dgm_parse_init(env, &lines->parse, parser, NULL));
    DGM_TRY(dgm_parse_lines_cut_init(env, lines, pipeline));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        const struct dgm_vocab *classes =
            dgm_parse_lines_gives(parser, (enum dgm_feature_kind)kind);

        if (features != NULL && classes != NULL && dgm_feature_size(&features->of[kind]) > 0)
            DGM_TRY(map_classes(env, &lines->number_of[kind], classes, &features->of[kind],
                                dgm_feature_titles[kind]));
    }
    return DGM_OK;
}

/* The words of a line, as the pipeline counts them, as lines->forms. */
static dgm_status split(struct dgm_env *env, struct dgm_parse_lines *lines,
                        const struct dgm_encoded *line)
{
    size_t at = 0, bytes;
    const char *word;
    int32_t count = 0;

    dgm_buf_reset(&lines->text);
    DGM_TRY(dgm_buf_add(env, &lines->text, line->text.data, line->text.size));
    DGM_TRY(dgm_buf_add_char(env, &lines->text, '\0'));
    DGM_TRY(dgm_reserve(env, &lines->forms, &lines->form_capacity, (size_t)line->n_words,
                        sizeof *lines->forms));
    while (dgm_word_counts_next(line->text.data, line->text.size, &at, &word, &bytes)) {
        char *form = lines->text.data + (word - line->text.data);
        form[bytes] = '\0';
        lines->forms[count++] = form;
    }
    return DGM_OK;
}

/* Room for the tree of one more line, without a parse as yet. */
static dgm_status reserve_tree(struct dgm_env *env, struct dgm_parse_lines *lines, int32_t words)
{
    const struct dgm_parallel arrays[] = { { &lines->labels, sizeof *lines->labels },
                                           { &lines->heads, sizeof *lines->heads },
                                           { NULL, 0 } };
    size_t start = lines->words, end = start + (size_t)words;

    DGM_TRY(dgm_reserve_parallel(env, arrays, &lines->head_capacity, end));
    for (size_t w = start; w < end; w++)
        lines->heads[w] = lines->labels[w] = -1;
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        if (lines->number_of[kind] == NULL)
            continue;
        DGM_TRY(dgm_reserve(env, &lines->features[kind], &lines->feature_capacity[kind], end,
                            sizeof *lines->features[kind]));
        for (size_t w = start; w < end; w++)
            lines->features[kind][w] = -1;
    }
    return DGM_OK;
}

/* The words of the model, as the parser reads them. */
static dgm_status add_words(struct dgm_env *env, struct dgm_parse_lines *lines,
                            const struct dgm_encoded *line)
{
    struct dgm_parser *parser = lines->parse.parser;
    size_t number = (size_t)lines->bank.rows.count;

    lines->too_long += line->n_words > parser->config.max_words;
    if (line->n_words == 0)
        return DGM_OK;
    DGM_TRY(split(env, lines, line));
    DGM_TRY(dgm_reserve(env, &lines->places, &lines->place_capacity, number + 1,
                        sizeof *lines->places));
    DGM_TRY(
        dgm_parse_parts_add(env, &lines->parts, &lines->bank, parser, lines->forms, line->n_words));
    lines->places[number] = lines->words;
    lines->waiting += line->n_words;
    return DGM_OK;
}

dgm_status dgm_parse_lines_add(struct dgm_env *env, struct dgm_parse_lines *lines,
                               const struct dgm_encoded *line, const char *text, size_t bytes)
{
    DGM_TRY(reserve_tree(env, lines, line->n_words));
    lines->lines++;
    if (lines->own.is_on)
        DGM_TRY(dgm_parse_lines_cut_add(env, lines, line, text, bytes));
    else
        DGM_TRY(add_words(env, lines, line));
    lines->words += (size_t)line->n_words;
    return DGM_OK;
}

/* The class of word t of a line: that of the parsed word which it belongs to, word[t], or t where
 * `word` is NULL; -1: none. */
static int32_t class_at(const int32_t *classes, const int32_t *word, int32_t t)
{
    const int32_t w = word != NULL ? word[t] : t;

    return w >= 0 ? classes[w] : -1;
}

/* The n words of a line, from `place` on, get what their classes are called. */
static void take_feature(struct dgm_parse_lines *lines, int kind, const int32_t *classes,
                         const int32_t *word, size_t place, int32_t n)
{
    int32_t *to = lines->features[kind];

    for (int32_t t = 0; t < n && to != NULL; t++) {
        const int32_t number = class_at(classes, word, t);

        to[place + (size_t)t] = number >= 0 ? lines->number_of[kind][number] : -1;
    }
}

/* The tree of sentence s of the bank, which has n words. */
static dgm_status take_tree(struct dgm_env *env, struct dgm_parse_lines *lines, int32_t s,
                            int32_t n)
{
    const struct dgm_packed *rows = &lines->bank.rows;
    const size_t row = (size_t)rows->offsets[s] + 1, place = lines->places[s];
    const int32_t *labels = lines->parsed.labels + row, *word = NULL;
    struct dgm_tree tree = { lines->parsed.heads + row, n, 1 };
    const int32_t *heads = tree.head;

    /* From CoNLL-U's counting, 1..n with 0 for the root, to words from 0 on. */
    for (int32_t w = 0; w < tree.count; w++)
        tree.head[w] = tree.head[w] == 0 ? w : tree.head[w] - 1;
    if (lines->own.is_on) {
        DGM_TRY(dgm_parse_lines_cut_lay(env, lines, s, &tree));
        heads = lines->own.overlay.head;
        word = lines->own.overlay.word;
        n = lines->own.n_words[s];
    }
    memcpy(lines->heads + place, heads, (size_t)n * sizeof *heads);
    for (int32_t t = 0; t < n; t++)
        lines->labels[place + (size_t)t] = class_at(labels, word, t);
    take_feature(lines, DGM_FEATURE_DEPREL, labels, word, place, n);
    take_feature(lines, DGM_FEATURE_UPOS, lines->parsed.tags + row, word, place, n);
    return DGM_OK;
}

static dgm_status take_trees(struct dgm_env *env, struct dgm_parse_lines *lines)
{
    for (int32_t s = 0, count; s < lines->bank.rows.count; s += count) {
        const struct dgm_parted *parted = dgm_parse_parts_find(&lines->parts, s);

        count = parted != NULL ? parted->count : 1;
        DGM_TRY(take_tree(env, lines, s,
                          parted != NULL ? parted->words
                                         : dgm_packed_length(&lines->bank.rows, s) - 1));
    }
    return DGM_OK;
}

dgm_status dgm_parse_lines_run(struct dgm_env *env, struct dgm_parse_lines *lines)
{
    if (lines->own.is_on)
        DGM_TRY(dgm_parse_lines_cut_run(env, lines));
    DGM_TRY(dgm_parse_bank(env, &lines->parse, &lines->bank, BATCH_WORDS, &lines->parsed));
    dgm_parse_parts_join(&lines->parts, &lines->bank, &lines->parse.parser->lexicon,
                         &lines->parsed);
    DGM_TRY(take_trees(env, lines));
    dgm_treebank_reset(&lines->bank);
    dgm_parse_parts_reset(&lines->parts);
    dgm_text_words_reset(&lines->own.words);
    lines->waiting = 0;
    return DGM_OK;
}

dgm_status dgm_parse_lines_hand_over(struct dgm_env *env, const struct dgm_parse_lines *lines,
                                     struct dgm_packed *packed)
{
    DGM_TRY(dgm_packed_set_heads(env, packed, lines->heads));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (lines->features[kind] != NULL)
            DGM_TRY(dgm_packed_set_feature(env, packed, (enum dgm_feature_kind)kind,
                                           lines->features[kind]));
    return DGM_OK;
}

void dgm_parse_lines_reset(struct dgm_parse_lines *lines)
{
    dgm_treebank_reset(&lines->bank);
    dgm_parse_parts_reset(&lines->parts);
    dgm_parse_lines_cut_reset(lines);
    lines->words = 0;
    lines->waiting = 0;
    lines->lines = lines->too_long = 0;
}

void dgm_parse_lines_clear(struct dgm_env *env, struct dgm_parse_lines *lines)
{
    dgm_parse_lines_cut_clear(env, lines);
    if (lines->parse.parser != NULL)
        dgm_parse_clear(env, &lines->parse);
    dgm_treebank_clear(env, &lines->bank);
    dgm_parse_parts_clear(env, &lines->parts);
    dgm_parsed_clear(env, &lines->parsed);
    dgm_release(env, lines->places);
    dgm_release(env, lines->heads);
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        dgm_release(env, lines->features[kind]);
        dgm_release(env, lines->number_of[kind]);
    }
    dgm_release(env, lines->labels);
    dgm_release(env, lines->forms);
    dgm_buf_clear(env, &lines->text);
    memset(lines, 0, sizeof *lines);
}
