/*
 * test_parse_lines.c: the trees of queued lines do not depend on their neighbours, and stand where
 * a packed side keeps them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "decode/parse/parse_lines.h"
#include "open_device.h"
#include "syntax/tree/tree.h"
#include "test.h"
#include "tree_check.h"

enum { LINES = 7, MOST = 6 };

static const char *const texts[LINES] = { "a b c d",
                                          "e",
                                          "b a unknown-word e c",
                                          "a b c d e a b" /* more than MOST words */,
                                          "c c c c c c",
                                          "a b",
                                          "a b c d" };

struct fixture {
    struct dgm_device *device;
    struct dgm_parser parser;
    struct dgm_pipeline pipeline;
    struct dgm_parse_lines lines;
    struct dgm_encoded line;
};

/* A lexicon of five words, two tags and three labels, as a treebank would give it. */
static dgm_status make_lexicon(struct dgm_lexicon *lexicon, int with_text)
{
    static const char bank[] = "1\ta\t_\tX\t_\t_\t2\tdep\t_\t_\n2\tb\t_\tY\t_\t_\t0\troot\t_\t_\n"
                               "3\tc\t_\tX\t_\t_\t2\tobj\t_\t_\n4\td\t_\tX\t_\t_\t3\tdep\t_\t_\n"
                               "5\te\t_\tY\t_\t_\t4\tdep\t_\t_\n\n";
    struct dgm_lexicon_options options;
    char path[1200];
    const char *paths[1];
    FILE *file;

    snprintf(path, sizeof path, "%s/bank.conllu", test_dir());
    file = fopen(path, "wb");
    if (file == NULL)
        return DGM_FAILURE;
    fputs(bank, file);
    fclose(file);
    memset(&options, 0, sizeof options);
    options.kind = DGM_PIECES_CHARS;
    options.min_count = 1;
    options.with_text = with_text;
    paths[0] = path;
    return dgm_lexicon_learn(test_env(), lexicon, paths, 1, &options);
}

/* cuts: it has a tokeniser of its own, and reads more words than these lines can have. */
static dgm_status make_parser(struct fixture *f, int cuts)
{
    static const struct dgm_opt *const tables[] = { dgm_parser_options, NULL };
    static const char *const values[] = {
        "dim-emb", "8", "dim-lstm",  "8", "dim-piece", "4", "dim-piece-lstm", "4", "enc-depth", "1",
        "dim-arc", "8", "dim-label", "4", "dim-tag",   "4", "max-length",     "6", NULL
    };
    static const char *const cutting[] = { "tokenizer", "true", "dim-tokenizer", "8", "max-length",
                                           "100",       NULL };
    struct dgm_settings settings;
    struct dgm_lexicon lexicon;
    dgm_status status;

    memset(&settings, 0, sizeof settings);
    memset(&lexicon, 0, sizeof lexicon);
    DGM_TRY(make_lexicon(&lexicon, cuts));
    status = dgm_settings_init(test_env(), &settings, tables);
    for (int i = 0; values[i] != NULL && status == DGM_OK; i += 2)
        status = dgm_settings_set(test_env(), &settings, values[i], values[i + 1], "test");
    for (int i = 0; cuts && cutting[i] != NULL && status == DGM_OK; i += 2)
        status = dgm_settings_set(test_env(), &settings, cutting[i], cutting[i + 1], "test");
    if (status == DGM_OK)
        status = dgm_parser_make(test_env(), &f->parser, &settings, &lexicon);
    dgm_settings_clear(test_env(), &settings);
    DGM_TRY(status);
    DGM_TRY(dgm_net_allocate(test_env(), &f->parser.net, f->device, 0));
    return dgm_params_initialise(test_env(), &f->parser.net.params, 3);
}

static dgm_status begin_with(struct fixture *f, int threads, int cuts)
{
    memset(f, 0, sizeof *f);
    DGM_TRY(open_device(test_env(), &f->device, threads));
    DGM_TRY(make_parser(f, cuts));
    return dgm_parse_lines_init(test_env(), &f->lines, &f->parser, &f->pipeline, NULL);
}

static dgm_status begin(struct fixture *f, int threads)
{
    return begin_with(f, threads, 0);
}

static void end(struct fixture *f)
{
    dgm_parse_lines_clear(test_env(), &f->lines);
    dgm_encoded_clear(test_env(), &f->line);
    dgm_parser_clear(test_env(), &f->parser);
    dgm_device_close(test_env(), f->device);
}

static int32_t count_words(const char *text)
{
    int32_t words = 1;

    for (; *text != '\0'; text++)
        words += *text == ' ';
    return words;
}

static dgm_status add(struct fixture *f, const char *text)
{
    dgm_buf_reset(&f->line.text);
    DGM_TRY(dgm_buf_add(test_env(), &f->line.text, text, strlen(text)));
    f->line.n_words = count_words(text);
    return dgm_parse_lines_add(test_env(), &f->lines, &f->line, text, strlen(text));
}

/* A tree with one root over the words of its line. */
static void check_heads(const int32_t *heads, int32_t words)
{
    struct dgm_tree tree;
    int roots = 0;

    for (int32_t w = 0; w < words; w++)
        roots += heads[w] == w;
    CHECK_INT(roots, 1);
    memset(&tree, 0, sizeof tree);
    CHECK_STATUS(dgm_tree_init(test_env(), &tree, heads, words), DGM_OK);
    CHECK_STATUS(tree_validate(test_env(), &tree), DGM_OK);
    dgm_tree_clear(test_env(), &tree);
}

TEST(parse_lines_gives_each_line_a_tree_with_one_root_in_its_place)
{
    struct fixture f;
    size_t at = 0;

    CHECK_STATUS(begin(&f, 1), DGM_OK);
    for (int i = 0; i < LINES; i++)
        CHECK_STATUS(add(&f, texts[i]), DGM_OK);
    CHECK_STATUS(dgm_parse_lines_run(test_env(), &f.lines), DGM_OK);
    for (int i = 0; i < LINES; i++) {
        check_heads(f.lines.heads + at, count_words(texts[i]));
        at += (size_t)count_words(texts[i]);
    }
    CHECK_INT(f.lines.words, at);
    CHECK_INT(f.lines.lines, LINES);
    CHECK_INT(f.lines.too_long, 1);
    CHECK_MEM(f.lines.heads, f.lines.heads + at - 4, 4 * sizeof(int32_t)); /* the same line */
    end(&f);
}

static void check_batch_and_lines(int cuts)
{
    struct fixture all, each;

    CHECK_STATUS(begin_with(&all, 1, cuts), DGM_OK);
    CHECK_STATUS(begin_with(&each, 2, cuts), DGM_OK);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < LINES; i++) {
            CHECK_STATUS(add(&all, texts[i]), DGM_OK);
            CHECK_STATUS(add(&each, texts[i]), DGM_OK);
            CHECK_STATUS(dgm_parse_lines_run(test_env(), &each.lines), DGM_OK);
        }
        CHECK_STATUS(dgm_parse_lines_run(test_env(), &all.lines), DGM_OK);
        CHECK_INT(all.lines.words, each.lines.words);
        CHECK_MEM(each.lines.heads, all.lines.heads, all.lines.words * sizeof(int32_t));
        dgm_parse_lines_reset(&all.lines);
        dgm_parse_lines_reset(&each.lines);
        CHECK_INT(all.lines.words, 0);
    }
    end(&all);
    end(&each);
}

TEST(parse_lines_gives_the_same_trees_in_one_batch_and_line_by_line)
{
    check_batch_and_lines(0);
}

/* So does a parser that cuts the lines, of which the words of one must not reach the next. */
TEST(parse_lines_that_are_cut_are_the_same_in_one_batch_and_line_by_line)
{
    check_batch_and_lines(1);
}

/* Each word's label under the number it has as a relation; `dep` is not among the relations. */
/* A line of more words than the parser reads: its parts, as if they were lines, and the root of the
 * second hangs on that of the first. */
TEST(parse_lines_joins_the_parts_of_a_long_line)
{
    static const char *const lines[] = { "a b c d e a b c", "a b c d e a", "b c" };
    struct fixture f;
    const int32_t *whole, *first, *second;
    int32_t root = -1;

    CHECK_STATUS(begin(&f, 1), DGM_OK);
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(add(&f, lines[i]), DGM_OK);
    CHECK_STATUS(dgm_parse_lines_run(test_env(), &f.lines), DGM_OK);
    CHECK_INT(f.lines.too_long, 1);
    whole = f.lines.heads;
    first = whole + 8;
    second = first + 6;
    for (int32_t w = 0; w < 6; w++) {
        CHECK_INT(whole[w], first[w]);
        root = first[w] == w ? w : root;
    }
    for (int32_t w = 0; w < 2; w++)
        CHECK_INT(whole[6 + w], second[w] == w ? root : second[w] + 6);
    for (int32_t w = 0; w < 2; w++)
        if (second[w] == w)
            CHECK_STR(dgm_lexicon_class_name(&f.parser.lexicon.labels, f.lines.labels[6 + w]),
                      "dep");
        else
            CHECK_INT(f.lines.labels[6 + w], f.lines.labels[14 + w]);
    end(&f);
}

TEST(parse_lines_gives_words_the_tags_of_their_labels)
{
    static const char *const names[] = { "<unk>", "</s>", "obj", "other", "root" };
    static const size_t bytes[] = { 5, 4, 3, 5, 4 };
    struct fixture f;
    struct dgm_packed side;
    struct dgm_features features;
    struct dgm_feature *relations = &features.of[DGM_FEATURE_DEPREL];
    size_t at = 0;
    int known = 0;

    memset(&features, 0, sizeof features);
    memset(&side, 0, sizeof side);
    CHECK_STATUS(begin(&f, 1), DGM_OK);
    dgm_parse_lines_clear(test_env(), &f.lines);
    CHECK_STATUS(dgm_feature_set(test_env(), relations, names, bytes, 5, "tags"), DGM_OK);
    CHECK_STATUS(dgm_parse_lines_init(test_env(), &f.lines, &f.parser, &f.pipeline, &features),
                 DGM_OK);
    for (int i = 0; i < LINES; i++)
        CHECK_STATUS(add(&f, texts[i]), DGM_OK);
    CHECK_STATUS(dgm_parse_lines_run(test_env(), &f.lines), DGM_OK);
    for (int i = 0; i < LINES; i++)
        for (int32_t w = 0; w < count_words(texts[i]); w++, at++) {
            int is_root = f.lines.heads[at] == w;

            if (is_root)
                CHECK_INT(f.lines.features[DGM_FEATURE_DEPREL][at], 4);
            else
                CHECK(f.lines.features[DGM_FEATURE_DEPREL][at] == -1 ||
                      f.lines.features[DGM_FEATURE_DEPREL][at] == 2);
            known += f.lines.features[DGM_FEATURE_DEPREL][at] == 2;
        }
    CHECK(known > 0);
    CHECK_STATUS(dgm_parse_lines_hand_over(test_env(), &f.lines, &side), DGM_OK);
    CHECK(side.heads != NULL && side.features[DGM_FEATURE_DEPREL] != NULL);
    dgm_packed_clear(test_env(), &side);
    dgm_features_clear(test_env(), &features);
    end(&f);
}

TEST(parse_lines_of_nothing_are_nothing)
{
    struct fixture f;

    CHECK_STATUS(begin(&f, 1), DGM_OK);
    CHECK_STATUS(dgm_parse_lines_run(test_env(), &f.lines), DGM_OK);
    CHECK_INT(f.lines.words, 0);
    end(&f);
    memset(&f.lines, 0, sizeof f.lines);
    dgm_parse_lines_clear(test_env(), &f.lines);
}
