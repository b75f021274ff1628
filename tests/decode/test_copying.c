/*
 * test_copying.c: which words of a source stand for the unknown marks of a translation: of given
 * attention, without a model.
 */
#include "decode/copying.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "test.h"
#include "text/bpe/word_counts.h"

enum { MOST = 16 };

/* A line and its translation. Pieces stand between blanks; ?, and ?@@ of a word that goes on, are
 * unknown. */
struct sample {
    int has_spm;
    const char *raw;
    const char *text;   /* the words of the line, or pieces of SentencePiece */
    const char *source; /* its pieces */
    const char *target; /* the pieces of the translation */
    const char *looks; /* of each: the piece of the source with most of its attention; x: the end */
    const char *want;  /* copies: tokens, text, + where it is glued */
};

struct scene {
    struct dgm_pipeline pipeline;
    struct dgm_source_queue queue;
    struct dgm_queued line;
    struct dgm_word_links links;
    struct dgm_copying copying;
    int32_t tokens[MOST], n;
    dgm_real values[MOST * MOST];
};

static const char words[] = "a 9\nb 9\nc 9\naa@@ 9\nbb 9\nnew 9\nyork 9\n. 9\n"
                            "\xE2\x96\x81 9\n\xE2\x96\x81z 9\n! 9\nrich 9\n\xE6\x97\xA5 9\n";

static int32_t read_pieces(const struct scene *scene, const char *text, int32_t *ids,
                           int32_t *word_of)
{
    size_t at = 0, bytes;
    const char *piece;
    int32_t n = 0, word = 0;

    while (dgm_word_counts_next(text, strlen(text), &at, &piece, &bytes)) {
        ids[n] = (int32_t)dgm_vocab_find(&scene->pipeline.vocab[0], piece, bytes);
        word_of[n++] = word;
        word += !(bytes > 1 && memcmp(piece + bytes - 2, "@@", 2) == 0);
    }
    ids[n] = DGM_VOCAB_EOS;
    word_of[n++] = -1;
    return n;
}

static void open_pipeline(struct scene *scene, int has_spm)
{
    static const char codes[] = "#version: 0.2\na a\n";

    scene->pipeline.joint = 1;
    scene->pipeline.has_spm = has_spm;
    if (!has_spm)
        CHECK_STATUS(dgm_pipeline_set_codes(test_env(), &scene->pipeline, codes, sizeof codes - 1,
                                            "codes"),
                     DGM_OK);
    CHECK_STATUS(dgm_vocab_parse(test_env(), &scene->pipeline.vocab[0], words, sizeof words - 1,
                                 "words"),
                 DGM_OK);
}

/* The words of pieces of SentencePiece, which stand between blanks. */
static void join_source(struct scene *scene, const char *text)
{
    int32_t *word_of = scene->links.word_of[DGM_SOURCE], word = -1, n = 0;
    size_t at = 0, bytes;
    const char *piece;

    while (dgm_word_counts_next(text, strlen(text), &at, &piece, &bytes)) {
        word += dgm_spm_is_space(piece, bytes) || n == 0;
        word_of[n++] = word;
    }
}

static void open_source(struct scene *scene, const struct sample *sample)
{
    struct dgm_word_links *links = &scene->links;
    int32_t ids[MOST], word_of[MOST];
    const int32_t n = read_pieces(scene, sample->source, ids, word_of);

    scene->queue.lines = &scene->line;
    scene->line.text_bytes = strlen(sample->text);
    scene->line.raw_bytes = strlen(sample->raw);
    CHECK_STATUS(dgm_buf_add_text(test_env(), &scene->queue.words, sample->text), DGM_OK);
    CHECK_STATUS(dgm_buf_add_text(test_env(), &scene->queue.raw, sample->raw), DGM_OK);
    CHECK_STATUS(dgm_packed_add(test_env(), &scene->queue.packed, ids, word_of, n, NULL,
                                word_of[n - 2] + 1),
                 DGM_OK);
    CHECK_STATUS(dgm_new(test_env(), &links->word_of[DGM_SOURCE], MOST, sizeof(int32_t)), DGM_OK);
    memcpy(links->word_of[DGM_SOURCE], word_of, (size_t)n * sizeof *word_of);
    if (sample->has_spm)
        join_source(scene, sample->source);
    links->length[DGM_SOURCE] = n;
    links->words_of_source = links->word_of[DGM_SOURCE][n - 2] + 1;
}

static void open_target(struct scene *scene, const struct sample *sample)
{
    struct dgm_word_links *links = &scene->links;
    int32_t word_of[MOST];
    const char *at = sample->looks;

    scene->n = read_pieces(scene, sample->target, scene->tokens, word_of);
    CHECK_STATUS(dgm_new(test_env(), &links->word_of[DGM_TARGET], MOST, sizeof(int32_t)), DGM_OK);
    CHECK_STATUS(dgm_new(test_env(), &links->sums, MOST, sizeof *links->sums), DGM_OK);
    links->length[DGM_TARGET] = scene->n;
    links->pipeline = &scene->pipeline;
    links->weights.values = scene->values;
    links->weights.heads = 1;
    links->weights.rows = scene->n;
    links->weights.columns = links->length[DGM_SOURCE];
    links->weights.ld = links->weights.step = MOST;
    for (int32_t i = 0; i < scene->n && *at != '\0'; i++, at += at[1] == ' ' ? 2 : 1) {
        const int is_end = *at == 'x';

        scene->values[i * MOST] = (dgm_real)0.3;
        scene->values[i * MOST + (is_end ? links->length[DGM_SOURCE] - 1 : *at - '0')] = 1;
    }
    CHECK_STATUS(dgm_word_links_join(test_env(), links, scene->tokens, NULL), DGM_OK);
}

static void close_scene(struct scene *scene)
{
    dgm_copying_clear(test_env(), &scene->copying);
    dgm_word_links_clear(test_env(), &scene->links);
    dgm_packed_clear(test_env(), &scene->queue.packed);
    dgm_buf_clear(test_env(), &scene->queue.words);
    dgm_buf_clear(test_env(), &scene->queue.raw);
    dgm_pipeline_clear(test_env(), &scene->pipeline);
}

/* "1-2 Zürich": tokens 1 is that word. */
static void check_copies(const struct scene *scene, const char *want)
{
    const struct dgm_copies *copies = &scene->copying.copies;
    struct dgm_buf out = { NULL, 0, 0, 0 };

    CHECK_STATUS(dgm_buf_add_text(test_env(), &out, ""), DGM_OK);
    for (size_t c = 0; c < copies->count; c++) {
        const struct dgm_copy *copy = &copies->items[c];

        CHECK_STATUS(dgm_buf_add_format(test_env(), &out, "%s%d-%d %s%.*s", c > 0 ? ", " : "",
                                        (int)copy->first, (int)copy->end, copy->is_glued ? "+" : "",
                                        (int)copy->bytes, copies->text.data + copy->at),
                     DGM_OK);
    }
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
}

static void open_scene(struct scene *scene, const struct sample *sample)
{
    memset(scene, 0, sizeof *scene);
    open_pipeline(scene, sample->has_spm);
    open_source(scene, sample);
    open_target(scene, sample);
    scene->copying.links = &scene->links;
    scene->copying.queue = &scene->queue;
    CHECK_STATUS(dgm_copying_find(test_env(), &scene->copying, 0, scene->tokens, scene->n), DGM_OK);
    check_copies(scene, sample->want);
}

static void check(const struct sample *samples, size_t count)
{
    struct scene scene;

    for (size_t i = 0; i < count; i++) {
        open_scene(&scene, &samples[i]);
        close_scene(&scene);
    }
}

TEST(copies_of_words)
{
    static const struct sample samples[] = {
        { 0, "A Zürich b", "a zürich b", "a ? b", "a ? c", "0 1 2", "1-2 Zürich" },
        { 0, "Aa b", "aa b", "? b", "? b", "x 1", "0-1 Aa" }, /* the end is no word */
        { 0, "A b", "a b", "a b", "? b", "0 1", "0-1 A" },    /* known in the source */
        { 0, "X y", "x y", "? ?", "? ? a", "1 0 0", "0-1 y, 1-2 X" },
        { 0, "X y", "x y", "? ?", "a ? ? ?", "0 0 0 1", "1-3 X, 3-4 y" }, /* once */
        { 0, "X a y", "x a y", "? a ?", "? a ?", "0 1 0", "0-1 X, 2-3 X" },
        { 0, "a b", "a b", "a b", "a b", "0 1", "" },
    };

    check(samples, sizeof samples / sizeof *samples);
}

TEST(copies_of_pieces_make_a_word)
{
    static const struct sample samples[] = {
        { 0, "aaŁbb c", "aałbb c", "aa@@ ?@@ bb c", "aa@@ ? bb c", "0 1 2 3", "0-3 aaŁbb" },
        { 0, "aaŁbb c", "aałbb c", "aa@@ ?@@ bb c", "? bb c", "1 2 3", "0-2 aaŁbb" },
        { 0, "aaŁbb c", "aałbb c", "aa@@ ?@@ bb c", "? bb c", "1 3 3", "0-1 aaŁbb" }, /* of c */
        { 0, "aaŁbb c", "aałbb c", "aa@@ ?@@ bb c", "? b c", "1 2 3", "0-1 aaŁbb" },  /* no piece */
        { 0, "Łbb c", "łbb c", "?@@ bb c", "? ? bb c", "0 0 1 2", "0-3 Łbb" },
        { 0, "Łbb c", "łbb c", "?@@ bb c", "a ?", "2 0", "1-2 Łbb" },
    };

    check(samples, sizeof samples / sizeof *samples);
}

#define B "\xE2\x96\x81" /* the mark of a blank */

TEST(copies_of_sentencepiece)
{
    static const struct sample samples[] = {
        { 1, "z😀! a", B "z 😀 ! " B " a", B "z ? ! " B " a", B " ? .", "0 1 2", "1-2 +😀" },
        { 1, "😀 ☺", B " 😀 " B " ☺", B " ? " B " ?", B " ? " B " ?", "1 1 1 1", "1-4 +😀" },
        { 1, "😀 ☺", B " 😀 " B " ☺", B " ? " B " ?", B " ? " B " ?", "0 1 2 3", "1-2 +😀, 3-4 +☺" },
        /* Known in the source: words without punctuation at their ends. */
        { 1, "Zrich! a", B "z rich ! " B " a", B "z rich ! " B " a", B "z ? .", "0 1 2",
          "0-2 Zrich" },
        { 1, "Zrich! a", B "z rich ! " B " a", B "z rich ! " B " a", B " ? .", "0 1 2",
          "1-2 +Zrich" },
        /* Lines without blanks are no words. */
        { 1, "日a b", B " 日 a " B " b", B " 日 a " B " b", "日 ? a", "1 2 1", "1-2 +a" },
    };

    check(samples, sizeof samples / sizeof *samples);
}

TEST(copies_are_words_of_links_and_text)
{
    static const struct sample sample = {
        0, "X a Łbb", "x a łbb", "? a ?@@ bb", "? ? a ? bb .", "0 0 1 2 3 3", "0-2 X, 3-5 Łbb"
    };
    static const int32_t want[] = { 0, 0, 1, 2, 2, 3, -1 };
    struct dgm_buf out = { NULL, 0, 0, 0 };
    struct dgm_target_ids target = { .from = 0 };
    struct scene scene;

    open_scene(&scene, &sample);
    CHECK_STATUS(dgm_word_links_join(test_env(), &scene.links, scene.tokens, &scene.copying.copies),
                 DGM_OK);
    for (int i = 0; i < scene.n; i++)
        CHECK_INT(scene.links.word_of[DGM_TARGET][i], want[i]);
    target.ids = scene.tokens;
    target.n = scene.n;
    target.copies = &scene.copying.copies;
    CHECK_STATUS(dgm_pipeline_decode(test_env(), &scene.pipeline, &out, &target, 0), DGM_OK);
    CHECK_MEM(out.data, "X a Łbb .", strlen("X a Łbb ."));
    CHECK_INT(dgm_copies_word(&scene.copying.copies, 3, 5), 2);
    CHECK_INT(dgm_copies_word(&scene.copying.copies, 5, 6), -1);
    dgm_buf_clear(test_env(), &out);
    close_scene(&scene);
}
