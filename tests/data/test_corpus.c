/*
 * test_corpus.c: reading parallel text and trees, and refusing what does not belong together.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/meter.h"
#include "data/corpus.h"
#include "data/text/pipeline_learn.h"
#include "test.h"

static const char *write_file(char path[1200], const char *name, const char *text)
{
    FILE *file;

    snprintf(path, 1200, "%s/%s", test_dir(), name);
    file = fopen(path, "wb");
    if (file != NULL) {
        fwrite(text, 1, strlen(text), file);
        fclose(file);
    }
    return path;
}

/* Words as they stand, vocabulary from the same text. */
static dgm_status make_pipeline(struct dgm_pipeline *pipeline, const char *source,
                                const char *target)
{
    static const struct dgm_opt *const tables[] = { dgm_pipeline_options, NULL };
    struct dgm_pipeline_learn_options options;
    struct dgm_text text = { .path = { source, target } };
    const struct dgm_text_list texts = { .items = &text, .count = 1 };
    struct dgm_settings settings;
    dgm_status status = dgm_settings_init(test_env(), &settings, tables);

    memset(&options, 0, sizeof options);
    memset(pipeline, 0, sizeof *pipeline);
    options.min_count[DGM_SOURCE] = options.min_count[DGM_TARGET] = 1;
    if (status == DGM_OK)
        status = dgm_settings_set(test_env(), &settings, "tokenize", "none", "test");
    if (status == DGM_OK)
        status = dgm_pipeline_init(test_env(), pipeline, &settings, 1);
    if (status == DGM_OK)
        status = dgm_pipeline_learn(test_env(), pipeline, &texts, &options);
    dgm_settings_clear(test_env(), &settings);
    return status;
}

/* dgm_corpus_load of a text with trees of its source, or NULL. */
static dgm_status load_files(struct dgm_corpus *corpus, struct dgm_pipeline *pipeline,
                             char paths[][1200], const char *trees, int32_t max_length,
                             enum dgm_bad_line on_bad, const struct dgm_corpus_watch *watch)
{
    struct dgm_text text = { .path = { paths[0], paths[1] }, .trees = { trees, NULL } };
    const struct dgm_text_list texts = { .items = &text, .count = 1 };
    const struct dgm_corpus_files files = { .texts = &texts };

    return dgm_corpus_load(test_env(), corpus, pipeline, &files, max_length, on_bad, watch);
}

/* Learns and loads; the corpus is the caller's on success. */
static dgm_status load(struct dgm_corpus *corpus, const char *source, const char *target,
                       const char *trees, int32_t max_length)
{
    char paths[3][1200];
    struct dgm_pipeline pipeline;
    dgm_status status;

    memset(corpus, 0, sizeof *corpus);
    write_file(paths[0], "source", source);
    write_file(paths[1], "target", target);
    if (trees != NULL)
        write_file(paths[2], "trees", trees);
    status = make_pipeline(&pipeline, paths[0], paths[1]);
    if (status == DGM_OK)
        status = load_files(corpus, &pipeline, paths, trees != NULL ? paths[2] : NULL, max_length,
                            DGM_BAD_LINE_ERROR, NULL);
    dgm_pipeline_clear(test_env(), &pipeline);
    return status;
}

static void check_refused(const char *source, const char *target, const char *trees,
                          const char *part, const char *other_part)
{
    struct dgm_corpus corpus;

    CHECK_STATUS(load(&corpus, source, target, trees, 50), DGM_DATA);
    if (strstr(test_env()->error.message, part) == NULL)
        CHECK_STR(test_env()->error.message, part);
    if (strstr(test_env()->error.message, other_part) == NULL)
        CHECK_STR(test_env()->error.message, other_part);
    dgm_env_clear_error(test_env());
}

TEST(corpus_packs_its_pairs_one_after_the_other)
{
    struct dgm_corpus corpus;

    CHECK_STATUS(load(&corpus, "a b c\nb\n", "x\ny z\n", NULL, 50), DGM_OK);
    CHECK_INT(corpus.source.count, 2);
    CHECK_INT(corpus.target.count, 2);
    CHECK_INT(corpus.lines, 2);
    CHECK_INT(dgm_packed_length(&corpus.source, 0), 4);
    CHECK_INT(dgm_packed_length(&corpus.source, 1), 2);
    CHECK_INT(dgm_packed_length(&corpus.target, 1), 3);
    CHECK_INT(corpus.source.ids[3], DGM_VOCAB_EOS);
    CHECK_INT(corpus.source.ids[1], corpus.source.ids[4]);
    CHECK(corpus.source.heads == NULL);
    dgm_corpus_clear(test_env(), &corpus);
}

TEST(corpus_leaves_out_blank_and_long_pairs_and_counts_them)
{
    struct dgm_corpus corpus;

    CHECK_STATUS(load(&corpus, "a b\n\nc\na a a a\nb\n", "x\ny\n \nz\nx x x x x\n", NULL, 4),
                 DGM_OK);
    CHECK_INT(corpus.lines, 5);
    CHECK_INT(corpus.blank, 2);
    CHECK_INT(corpus.too_long, 2);
    CHECK_INT(corpus.source.count, 1);
    dgm_corpus_clear(test_env(), &corpus);
}

TEST(corpus_reads_lines_that_end_in_cr_lf_or_in_nothing)
{
    struct dgm_corpus unix_lines, dos_lines;

    CHECK_STATUS(load(&unix_lines, "a b\nb c\n", "x\ny\n", NULL, 50), DGM_OK);
    CHECK_STATUS(load(&dos_lines, "a b\r\nb c\r\n", "x\r\ny", NULL, 50), DGM_OK);
    CHECK_INT(dos_lines.source.count, 2);
    CHECK_MEM(dos_lines.source.ids, unix_lines.source.ids, 6 * sizeof(int32_t));
    CHECK(dos_lines.checksum == unix_lines.checksum);
    dgm_corpus_clear(test_env(), &unix_lines);
    dgm_corpus_clear(test_env(), &dos_lines);
}

TEST(corpus_checksum_tells_texts_apart)
{
    struct dgm_corpus one, other;

    CHECK_STATUS(load(&one, "a b\nc\n", "x\ny\n", NULL, 50), DGM_OK);
    CHECK_STATUS(load(&other, "a\nb c\n", "x\ny\n", NULL, 50), DGM_OK);
    CHECK(one.checksum != other.checksum);
    dgm_corpus_clear(test_env(), &one);
    dgm_corpus_clear(test_env(), &other);
}

TEST(corpus_of_files_that_differ_in_length_names_both_lengths)
{
    check_refused("a\nb\nc\n", "x\n", NULL, "1 lines; expected 3", "source");
    check_refused("a\n", "x\ny\nz\nw\n", NULL, "1 lines; expected 4", "target");
}

TEST(corpus_needs_two_files_and_some_text)
{
    struct dgm_corpus corpus;
    struct dgm_pipeline pipeline;
    char path[1200];

    write_file(path, "both", "a\nb\n");
    CHECK_STATUS(make_pipeline(&pipeline, path, path), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "same file") != NULL);
    dgm_env_clear_error(test_env());
    dgm_pipeline_clear(test_env(), &pipeline);
    CHECK_STATUS(load(&corpus, "\n\n", "\n\n", NULL, 50), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "no sentence pairs; expected at least 1") != NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(load(&corpus, "a\n\nb b b\n", "a a a a\n\nb\n", NULL, 3), DGM_DATA);
    CHECK(strstr(test_env()->error.message,
                 "no sentence pairs: 2 of 3 have a side of more tokens, its end counted, than "
                 "--max-length 3") != NULL);
    dgm_env_clear_error(test_env());
}

TEST(corpus_names_the_line_of_ill_formed_text)
{
    struct dgm_corpus corpus;

    CHECK_STATUS(load(&corpus, "a\nb \xff\n", "x\ny\n", NULL, 50), DGM_DATA);
    CHECK_INT(test_env()->error.line, 2);
    dgm_env_clear_error(test_env());
}

/* ---- trees ----------------------------------------------------------------------------------- */

#define ROW(id, word, head) id "\t" word "\t_\t_\t_\t_\t" head "\t_\t_\t_\n"

static const char tree_abc[] = ROW("1", "a", "2") ROW("2", "b", "0") ROW("3", "c", "2") "\n";
static const char tree_d[] = ROW("1", "d", "0") "\n";

static const char *two_trees(char *out)
{
    strcpy(out, tree_abc);
    return strcat(out, tree_d);
}

TEST(corpus_keeps_the_heads_of_its_trees)
{
    static const int32_t heads[4] = { 1, 1, 1, 0 };
    char trees[400];
    struct dgm_corpus corpus;

    CHECK_STATUS(load(&corpus, "a b c\nd\n", "x\ny\n", two_trees(trees), 50), DGM_OK);
    CHECK_INT(corpus.source.word_offsets[1], 3);
    CHECK_INT(corpus.source.word_offsets[2], 4);
    CHECK_MEM(corpus.source.heads, heads, sizeof heads);
    CHECK(corpus.target.heads == NULL);
    dgm_corpus_clear(test_env(), &corpus);
}

/* Another head, or no trees at all: a resume must not go on with other trees unnoticed. */
TEST(corpus_checksum_tells_trees_apart)
{
    static const char chain[] = ROW("1", "a", "0") ROW("2", "b", "1") ROW("3", "c", "2") "\n";
    const char *const trees[3] = { tree_abc, chain, NULL };
    struct dgm_corpus corpora[3];

    for (int i = 0; i < 3; i++)
        CHECK_STATUS(load(&corpora[i], "a b c\n", "x\n", trees[i], 50), DGM_OK);
    CHECK(dgm_corpus_checksum(&corpora[0]) != dgm_corpus_checksum(&corpora[1]));
    CHECK(dgm_corpus_checksum(&corpora[0]) != dgm_corpus_checksum(&corpora[2]));
    for (int i = 0; i < 3; i++)
        dgm_corpus_clear(test_env(), &corpora[i]);
}

/* Notes the words of each line that is heard, and ends after the second where told to. */
struct heard {
    char text[100];
    int lines, most;
};

static dgm_status hear(struct dgm_env *env, void *user, const struct dgm_encoded *source,
                       const struct dgm_buf *line)
{
    struct heard *heard = user;
    size_t length = strlen(heard->text);

    if (heard->lines++ == heard->most)
        return dgm_fail(env, DGM_INTERRUPTED, "enough");
    snprintf(heard->text + length, sizeof heard->text - length, "%.*s<%.*s|",
             (int)source->text.size, source->text.data, (int)line->size, line->data);
    return DGM_OK;
}

static void check_watch(int most, dgm_status want, const char *want_text)
{
    struct dgm_corpus_watch watch;
    struct dgm_corpus corpus;
    struct dgm_pipeline pipeline;
    struct heard heard;
    char paths[2][1200];

    memset(&heard, 0, sizeof heard);
    heard.most = most;
    watch.pair = hear;
    watch.user = &heard;
    write_file(paths[0], "source", "a  b\n\nc c c c\nd\n");
    write_file(paths[1], "target", "x\ny\nz\nz\n");
    CHECK_STATUS(make_pipeline(&pipeline, paths[0], paths[1]), DGM_OK);
    CHECK_STATUS(load_files(&corpus, &pipeline, paths, NULL, 4, DGM_BAD_LINE_ERROR, &watch), want);
    CHECK_STR(heard.text, want_text);
    dgm_corpus_clear(test_env(), &corpus);
    dgm_pipeline_clear(test_env(), &pipeline);
    dgm_env_clear_error(test_env());
}

TEST(corpus_lets_others_see_the_pairs_it_uses_and_no_others)
{
    check_watch(9, DGM_OK, "a b<a  b|d<d|");
    check_watch(1, DGM_INTERRUPTED, "a b<a  b|");
}

TEST(corpus_passes_over_the_trees_of_pairs_it_leaves_out)
{
    char trees[400];
    struct dgm_corpus corpus;

    CHECK_STATUS(load(&corpus, "a b c\nd\n", " \ny\n", two_trees(trees), 50), DGM_OK);
    CHECK_INT(corpus.source.count, 1);
    CHECK_INT(corpus.source.heads[0], 0);
    dgm_corpus_clear(test_env(), &corpus);
}

TEST(corpus_refuses_trees_of_other_words)
{
    char trees[400];

    check_refused("a b d\nd\n", "x\ny\n", two_trees(trees), "E_ALIGN", "c");
    CHECK_INT(test_env()->error.status, DGM_OK);
    check_refused("a b\nd\n", "x\ny\n", two_trees(trees), "E_ALIGN", "2");
}

TEST(corpus_refuses_too_few_and_too_many_trees)
{
    char trees[400];

    check_refused("a b c\nd\nd\n", "x\ny\nz\n", two_trees(trees), "2 sentences", "E_ALIGN");
    check_refused("a b c\n", "x\n", two_trees(trees), "more sentences than the 1 lines", "E_ALIGN");
}

/* A pair that is left out for its bytes has its trees all the same. */
TEST(corpus_misses_the_tree_of_an_ill_formed_last_line)
{
    struct dgm_pipeline pipeline;
    struct dgm_corpus corpus;
    char paths[3][1200];

    write_file(paths[0], "source", "a b c\nd\n");
    write_file(paths[1], "target", "x\ny\n");
    CHECK_STATUS(make_pipeline(&pipeline, paths[0], paths[1]), DGM_OK);
    write_file(paths[0], "source", "a b c\nd \xff\n");
    write_file(paths[2], "trees", tree_abc);
    CHECK_STATUS(load_files(&corpus, &pipeline, paths, paths[2], 50, DGM_BAD_LINE_SKIP, NULL),
                 DGM_DATA);
    CHECK(strstr(test_env()->error.message, "1 sentences; expected one for each line") != NULL);
    CHECK(strstr(test_env()->error.message, "line 2") != NULL);
    dgm_corpus_clear(test_env(), &corpus);
    dgm_pipeline_clear(test_env(), &pipeline);
    dgm_env_clear_error(test_env());
}

/* ---- ill-formed lines ----------------------------------------------------------------------- */

static void check_bad_lines(enum dgm_bad_line on_bad, int want_used, int want_bad)
{
    static const char source[] = "a b\nc \xff d\ne f\n", target[] = "x\ny\nz\n";
    struct dgm_pipeline_learn_options learn;
    struct dgm_pipeline pipeline;
    struct dgm_corpus corpus;
    char paths[2][1200];
    struct dgm_text text = { .path = { paths[0], paths[1] } };
    const struct dgm_text_list texts = { .items = &text, .count = 1 };

    write_file(paths[0], "source", source);
    write_file(paths[1], "target", target);
    memset(&pipeline, 0, sizeof pipeline);
    memset(&learn, 0, sizeof learn);
    learn.min_count[DGM_SOURCE] = learn.min_count[DGM_TARGET] = 1;
    learn.on_bad = on_bad;
    pipeline.joint = 1;
    CHECK_STATUS(dgm_pipeline_learn(test_env(), &pipeline, &texts, &learn), DGM_OK);
    CHECK_STATUS(load_files(&corpus, &pipeline, paths, NULL, 100, on_bad, NULL), DGM_OK);
    CHECK_INT(corpus.source.count, want_used);
    CHECK_INT(corpus.bad, want_bad);
    dgm_corpus_clear(test_env(), &corpus);
    dgm_pipeline_clear(test_env(), &pipeline);
}

TEST(corpus_skips_or_repairs_ill_formed_lines_when_asked_to)
{
    check_bad_lines(DGM_BAD_LINE_SKIP, 2, 1);
    check_bad_lines(DGM_BAD_LINE_REPLACE, 3, 0);
}

/* ---- endless lines -------------------------------------------------------------------------- */

/* "a b\n", then a line of 4,000,000 bytes, then "c\n". */
static char *make_endless(void)
{
    static const char start[] = "a b\n", end[] = "\nc\n";
    const size_t bytes = 4000000, first = sizeof start - 1;
    char *text = malloc(first + bytes + sizeof end);

    if (text == NULL)
        return NULL;
    memcpy(text, start, first);
    for (size_t i = 0; i < bytes; i++)
        text[first + i] = "ab "[i % 3];
    memcpy(text + first + bytes, end, sizeof end);
    return text;
}

/* The library's own count of what it holds decides: no more than four times what a side has. */
TEST(corpus_takes_no_memory_for_a_line_that_no_sentence_has)
{
    static struct dgm_meter meter;
    struct dgm_corpus corpus;
    char *source = make_endless();
    dgm_status status;

    CHECK(source != NULL);
    dgm_meter_begin(&meter, test_env());
    meter.limit = (size_t)4 * DGM_PAIR_BYTES;
    status = load(&corpus, source, "x\ny\nz\n", NULL, 50);
    free(source);
    if (status == DGM_OK) {
        CHECK_INT(corpus.lines, 3);
        CHECK_INT(corpus.too_long, 1);
        CHECK_INT(corpus.bad, 0);
        CHECK_INT(corpus.source.count, 2);
        dgm_corpus_clear(test_env(), &corpus);
    }
    dgm_meter_end(&meter, test_env());
    CHECK_STATUS(status, DGM_OK);
}
