/* test_bpe.c: byte pair encoding, learned and applied. */
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/writer.h"
#include "test.h"
#include "text/bpe/bpe.h"
#include "text/bpe/bpe_learn.h"
#include "text/bpe/bpe_load.h"
#include "text/bpe/word_counts.h"

static const char codes[] = "#version: 0.2\n"
                            "l o\nlo w\ne r</w>\nn e\nne w\nlow er</w>\n";

static void check_line(struct dgm_bpe *bpe, const char *line, const char *want)
{
    struct dgm_buf out;

    memset(&out, 0, sizeof out);
    CHECK_STATUS(dgm_bpe_apply_line(test_env(), bpe, &out, line, strlen(line)), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
}

static void check_undo(const char *line, const char *want)
{
    struct dgm_buf out;

    memset(&out, 0, sizeof out);
    CHECK_STATUS(dgm_bpe_undo(test_env(), &out, "@@", line, strlen(line)), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
}

static void parse(struct dgm_bpe *bpe, const char *text)
{
    memset(bpe, 0, sizeof *bpe);
    CHECK_STATUS(dgm_bpe_parse(test_env(), bpe, text, strlen(text), "codes", -1), DGM_OK);
}

TEST(bpe_merges_lowest_rank_first)
{
    struct dgm_bpe bpe;

    parse(&bpe, codes);
    check_line(&bpe, "lower newer low x", "lower new@@ er lo@@ w x");
    check_line(&bpe, "lower lower", "lower lower"); /* now from the cache */
    check_line(&bpe, "  low er  ", "  lo@@ w er  ");
    check_line(&bpe, "", "");
    check_line(&bpe, "lowlo", "low@@ l@@ o");
    dgm_bpe_clear(test_env(), &bpe);
}

TEST(bpe_merges_overlapping_pairs_from_the_left)
{
    struct dgm_bpe bpe;

    parse(&bpe, "#version: 0.2\na a\naa a\n");
    check_line(&bpe, "aaaaaab", "aa@@ aa@@ aa@@ b");
    check_line(&bpe, "aaaaab", "aa@@ aaa@@ b");
    dgm_bpe_clear(test_env(), &bpe);
}

TEST(bpe_reads_codes_of_version_01)
{
    struct dgm_bpe bpe;

    parse(&bpe, "e r\ner </w>\nl o\n");
    CHECK_INT(bpe.version, 1);
    check_line(&bpe, "lower er lo", "lo@@ w@@ er er lo");
    dgm_bpe_clear(test_env(), &bpe);
}

TEST(bpe_gives_the_ends_of_the_pieces_of_a_word)
{
    struct dgm_bpe bpe;
    const uint32_t *ends;
    size_t count;

    parse(&bpe, codes);
    CHECK_STATUS(dgm_bpe_apply_word(test_env(), &bpe, &ends, &count, "x\xC3\xBClow", 6), DGM_OK);
    CHECK_INT(count, 4);
    CHECK_INT(ends[0], 1);
    CHECK_INT(ends[1], 3);
    CHECK_INT(ends[2], 5);
    CHECK_INT(ends[3], 6);
    CHECK_STATUS(dgm_bpe_apply_word(test_env(), &bpe, &ends, &count, "", 0), DGM_OK);
    CHECK_INT(count, 0);
    dgm_bpe_clear(test_env(), &bpe);
}

TEST(bpe_undoes_merges_whose_pieces_are_too_rare)
{
    static const char pieces[] = "low@@ 9\nnew@@ 2\nr 8\nlower 1\n";
    struct dgm_env *env = test_env();
    struct dgm_bpe bpe;
    struct dgm_writer writer;
    char path[1200];

    snprintf(path, sizeof path, "%s/vocab", test_dir());
    CHECK_STATUS(dgm_writer_open_own(env, &writer, path), DGM_OK);
    CHECK_STATUS(dgm_writer_add(env, &writer, pieces, sizeof pieces - 1), DGM_OK);
    CHECK_STATUS(dgm_writer_close(env, &writer), DGM_OK);
    parse(&bpe, codes);
    CHECK_STATUS(dgm_bpe_load_vocabulary(env, &bpe, path, 2), DGM_OK);
    check_line(&bpe, "lower newer", "low@@ e@@ r new@@ e@@ r");
    dgm_bpe_clear(env, &bpe);
}

TEST(bpe_leaves_glossary_words_whole)
{
    struct dgm_bpe bpe;

    parse(&bpe, codes);
    CHECK_STATUS(dgm_bpe_add_glossary(test_env(), &bpe, "like", 4), DGM_OK);
    CHECK_STATUS(dgm_bpe_add_glossary(test_env(), &bpe, "Manuel", 6), DGM_OK);
    CHECK_STATUS(dgm_bpe_add_glossary(test_env(), &bpe, "USA", 3), DGM_OK);
    check_line(&bpe, "lowlikeUSAlowManuelManuellowUSA",
               "lo@@ w@@ like@@ USA@@ lo@@ w@@ Manuel@@ Manuel@@ lo@@ w@@ USA");
    CHECK_STATUS(dgm_bpe_add_glossary(test_env(), &bpe, "", 0), DGM_USAGE);
    dgm_bpe_clear(test_env(), &bpe);
}

TEST(bpe_keeps_separators_and_end_marks_of_the_text)
{
    struct dgm_bpe bpe;

    parse(&bpe, codes);
    check_line(&bpe, "x</w>lo", "x@@ <@@ /@@ w@@ >@@ l@@ o");
    check_undo("x@@ <@@ /@@ w@@ >@@ l@@ o", "x</w>lo");
    check_line(&bpe, "@@ b", "@@@ @ b");
    check_undo("@@@ @ b", "@@ b");
    dgm_bpe_clear(test_env(), &bpe);

    parse(&bpe, "#version: 0.2\n@ @</w>\n");
    check_line(&bpe, "@@ b", "@@ b"); /* as subword-nmt: undone, it would be "b" */
    bpe.protect = 1;
    dgm_map_clear(test_env(), &bpe.own.cache);
    check_line(&bpe, "@@ b", "@@@ @ b");
    dgm_bpe_clear(test_env(), &bpe);
}

static void check_bad(const char *text, long line, const char *part)
{
    struct dgm_env *env = test_env();
    struct dgm_bpe bpe;

    memset(&bpe, 0, sizeof bpe);
    CHECK_STATUS(dgm_bpe_parse(env, &bpe, text, strlen(text), "codes", -1), DGM_DATA);
    CHECK_INT(env->error.line, line);
    CHECK(strstr(env->error.message, part) != NULL);
    CHECK(bpe.rules.keys == NULL);
    dgm_env_clear_error(env);
}

TEST(bpe_refuses_bad_codes_and_says_where)
{
    check_bad("#version: 9.9\na b\n", 1, "version");
    check_bad("#version: 0.2\na b\na b c\n", 3, "3 fields");
    check_bad("#version: 0.2\nab\n", 2, "1 fields");
    check_bad("#version: 0.2\na b\n\nc d\n", 3, "0 fields");
    check_bad("#version: 0.2\na \xC3", 2, "UTF-8");
    check_bad("#version: 0.2\n", 0, "no merges");
    check_bad("", 0, "no merges");
}

TEST(bpe_takes_a_no_break_space_as_a_letter_and_the_first_of_duplicates)
{
    struct dgm_bpe bpe;

    parse(&bpe, "#version: 0.2\na \xC2\xA0\nb c\nb c\nx y\n");
    CHECK_INT(bpe.rule_count, 3);
    check_line(&bpe, "a\xC2\xA0z", "a\xC2\xA0@@ z");
    dgm_bpe_clear(test_env(), &bpe);
}

static void drop(struct dgm_bpe *bpe, struct dgm_buf *out, uint64_t seed, const char *line)
{
    dgm_buf_reset(out);
    dgm_bpe_set_dropout(bpe, 0.5, seed, 0, 0);
    CHECK_STATUS(dgm_bpe_apply_line(test_env(), bpe, out, line, strlen(line)), DGM_OK);
}

TEST(bpe_dropout_is_a_function_of_its_seed)
{
    static const char line[] = "lower newer lower newer lower newer lower newer lower newer";
    struct dgm_buf first, second;
    struct dgm_bpe bpe;

    memset(&first, 0, sizeof first);
    memset(&second, 0, sizeof second);
    parse(&bpe, codes);
    dgm_bpe_set_dropout(&bpe, 1.0, 1, 0, 0);
    check_line(&bpe, "lower", "l@@ o@@ w@@ e@@ r");
    drop(&bpe, &first, 7, line);
    drop(&bpe, &second, 7, line);
    CHECK_STR(first.data, second.data);
    check_undo(first.data, line);
    drop(&bpe, &second, 8, line);
    CHECK(strcmp(first.data, second.data) != 0);
    dgm_bpe_set_dropout(&bpe, 0, 0, 0, 0);
    check_line(&bpe, "lower", "lower");
    dgm_buf_clear(test_env(), &first);
    dgm_buf_clear(test_env(), &second);
    dgm_bpe_clear(test_env(), &bpe);
}

TEST(bpe_segments_a_word_of_a_megabyte)
{
    enum { SIZE = 1 << 20 };
    static char word[SIZE];
    struct dgm_bpe bpe;
    const uint32_t *ends;
    size_t count, i;

    for (i = 0; i < SIZE; i++)
        word[i] = "low"[i % 3];
    parse(&bpe, codes);
    CHECK_STATUS(dgm_bpe_apply_word(test_env(), &bpe, &ends, &count, word, SIZE), DGM_OK);
    CHECK_INT(count, SIZE / 3 + 1);
    CHECK_INT(ends[count - 1], SIZE);
    dgm_bpe_clear(test_env(), &bpe);
}

static void learn(const char *text, long symbols, const char *want)
{
    struct dgm_bpe_learn_options options = { 0, 2, 0 };
    struct dgm_map counts;
    struct dgm_buf out;

    memset(&counts, 0, sizeof counts);
    memset(&out, 0, sizeof out);
    options.symbols = symbols;
    CHECK_STATUS(dgm_word_counts_line(test_env(), &counts, text, strlen(text)), DGM_OK);
    CHECK_STATUS(dgm_bpe_learn(test_env(), &out, &counts, &options), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
    dgm_map_clear(test_env(), &counts);
}

TEST(bpe_learns_frequent_pairs_and_of_equals_the_greater)
{
    learn("low low lower lower newer", 20,
          "#version: 0.2\nl o\nw e\nwe r</w>\nlo wer</w>\nlo w</w>\n");
    learn("aaaa abab ab aaab aaaa abab", 20,
          "#version: 0.2\na a\na b</w>\nb ab</w>\naa a\naaa a</w>\na bab</w>\n");
    learn("low low lower lower newer", 1, "#version: 0.2\nl o\n");
    learn("", 5, "#version: 0.2\n");
}

/* ---- subword-nmt's own corpus ------------------------------------------------------------- */

static void read_shared(struct dgm_buf *out, const char *name)
{
    char path[1200];

    memset(out, 0, sizeof *out);
    snprintf(path, sizeof path, "%s/data/bpe/%s", test_shared(), name);
    CHECK_STATUS(dgm_file_read(test_env(), out, path), DGM_OK);
}

/* The next line of a text, without its LF; 0 at the end. */
static int next_line(const struct dgm_buf *text, size_t *at, const char **line, size_t *bytes)
{
    const char *end = *at < text->size ? memchr(text->data + *at, '\n', text->size - *at) : NULL;

    if (end == NULL)
        return 0;
    *line = text->data + *at;
    *bytes = (size_t)(end - *line);
    *at += *bytes + 1;
    return 1;
}

TEST(bpe_learns_the_codes_of_subword_nmt)
{
    struct dgm_bpe_learn_options options = { 1000, 2, 0 };
    struct dgm_buf corpus, want, got;
    struct dgm_map counts;
    const char *line;
    size_t at = 0, bytes;

    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    read_shared(&corpus, "corpus.en");
    read_shared(&want, "bpe.ref");
    memset(&got, 0, sizeof got);
    memset(&counts, 0, sizeof counts);
    while (next_line(&corpus, &at, &line, &bytes))
        CHECK_STATUS(dgm_word_counts_line(test_env(), &counts, line, bytes), DGM_OK);
    CHECK_STATUS(dgm_bpe_learn(test_env(), &got, &counts, &options), DGM_OK);
    CHECK_STR(got.data, want.data);
    dgm_buf_clear(test_env(), &corpus);
    dgm_buf_clear(test_env(), &want);
    dgm_buf_clear(test_env(), &got);
    dgm_map_clear(test_env(), &counts);
}

TEST(bpe_segments_and_restores_the_corpus_of_subword_nmt)
{
    struct dgm_buf text, corpus, want, got, back;
    struct dgm_bpe bpe;
    const char *line;
    size_t at = 0, bytes;

    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    read_shared(&text, "bpe.ref");
    read_shared(&corpus, "corpus.en");
    read_shared(&want, "corpus.bpe.ref.en");
    memset(&got, 0, sizeof got);
    memset(&back, 0, sizeof back);
    memset(&bpe, 0, sizeof bpe);
    CHECK_STATUS(dgm_bpe_parse(test_env(), &bpe, text.data, text.size, "bpe.ref", -1), DGM_OK);
    while (next_line(&corpus, &at, &line, &bytes)) {
        CHECK_STATUS(dgm_bpe_apply_line(test_env(), &bpe, &got, line, bytes), DGM_OK);
        CHECK_STATUS(dgm_buf_add_char(test_env(), &got, '\n'), DGM_OK);
    }
    CHECK_STR(got.data, want.data);
    for (at = 0; next_line(&got, &at, &line, &bytes);) {
        CHECK_STATUS(dgm_bpe_undo(test_env(), &back, "@@", line, bytes), DGM_OK);
        CHECK_STATUS(dgm_buf_add_char(test_env(), &back, '\n'), DGM_OK);
    }
    CHECK_STR(back.data, corpus.data);
    dgm_buf_clear(test_env(), &text);
    dgm_buf_clear(test_env(), &corpus);
    dgm_buf_clear(test_env(), &want);
    dgm_buf_clear(test_env(), &got);
    dgm_buf_clear(test_env(), &back);
    dgm_bpe_clear(test_env(), &bpe);
}
