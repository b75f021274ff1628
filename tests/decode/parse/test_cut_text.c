/*
 * test_cut_text.c: text cut by a network of random weights, which cuts it anywhere: what comes out
 * covers the text, and depends on nothing but its paragraph.
 */
#include "decode/parse/cut_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "base/philox.h"
#include "decode/parse/cut_words.h"
#include "open_device.h"
#include "test.h"
#include "text/unicode/utf8.h"
#include "treebank_file.h"

static const char treebank[] = "1\tab\t_\tX\t_\t_\t0\troot\t_\t_\n"
                               "2\tba\t_\tX\t_\t_\t1\tdep\t_\tSpaceAfter=No\n"
                               "3\t.\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
                               "1-2\ta'b\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
                               "2\t'b\t_\tX\t_\t_\t1\tdep\t_\t_\n"
                               "3\t.\t_\tX\t_\t_\t1\tdep\t_\t_\n\n";

static const char shape[] =
    "pieces = none\nenc-depth = 1\ndim-emb = 4\ndim-lstm = 2\ndim-arc = 2\ndim-label = 2\n"
    "dim-tag = 2\ntokenizer = true\ndim-tokenizer = 8\n";

struct lab {
    struct dgm_device *device;
    struct dgm_parser parser;
    struct dgm_cut_text cut;
};

static dgm_status make_parser(struct lab *lab, const char *path)
{
    static const struct dgm_opt *const tables[] = { dgm_parser_options, NULL };
    const struct dgm_lexicon_options options = { .min_count = 1, .with_text = 1 };
    struct dgm_settings settings;
    struct dgm_lexicon lexicon;
    dgm_status status;

    memset(&settings, 0, sizeof settings);
    memset(&lexicon, 0, sizeof lexicon);
    DGM_TRY_OUT(dgm_settings_init(test_env(), &settings, tables));
    DGM_TRY_OUT(dgm_settings_file_parse(test_env(), &settings, shape, strlen(shape), "test"));
    DGM_TRY_OUT(dgm_lexicon_learn(test_env(), &lexicon, &path, 1, &options));
    DGM_TRY_OUT(dgm_parser_make(test_env(), &lab->parser, &settings, &lexicon));
out:
    dgm_settings_clear(test_env(), &settings);
    return status;
}

/* Random weights, and no favour of any label: their scores are large. */
static dgm_status open_lab(struct lab *lab, int threads)
{
    char path[1200];

    memset(lab, 0, sizeof *lab);
    DGM_TRY(put_treebank(path, "bank.conllu", treebank));
    DGM_TRY(open_device(test_env(), &lab->device, threads));
    DGM_TRY(make_parser(lab, path));
    DGM_TRY(dgm_net_allocate(test_env(), &lab->parser.net, lab->device, 0));
    DGM_TRY(dgm_params_initialise(test_env(), &lab->parser.net.params, 7));
    return dgm_cut_text_init(test_env(), &lab->cut, &lab->parser, lab->device);
}

static void close_lab(struct lab *lab)
{
    dgm_cut_text_clear(test_env(), &lab->cut);
    dgm_parser_clear(test_env(), &lab->parser);
    dgm_device_close(test_env(), lab->device);
}

/* Fills text with paragraphs of letters, punctuation and white space; the ends of `count`. */
static void draw_text(struct dgm_buf *text, size_t *ends, size_t count, uint32_t most)
{
    static const char *const parts[] = { "a",  "b",        "ab", " ",        "  ",
                                         "\n", ".",        "'",  "\xC3\xA9", "\xE4\xB8\xAD",
                                         "7",  "\xC2\xA0", "A" };
    struct dgm_random random;

    dgm_random_init(&random, 3, 5, 0, 0);
    for (size_t p = 0; p < count; p++) {
        uint32_t n = dgm_random_below(&random, most);

        for (uint32_t i = 0; i < n; i++)
            CHECK_STATUS(
                dgm_buf_add_text(test_env(), text,
                                 parts[dgm_random_below(&random, sizeof parts / sizeof *parts)]),
                DGM_OK);
        ends[p] = text->size;
    }
}

/* Tokens are in order; between them is nothing but white space, and inside them is none. */
static void check_cover(const struct dgm_cut_text *cut, const char *text, size_t size)
{
    size_t at = 0;
    uint32_t code;

    for (size_t t = 0; t <= cut->count; t++) {
        size_t start = t < cut->count ? cut->tokens[t].start : size;
        size_t end = t < cut->count ? cut->tokens[t].end : size;

        CHECK(start >= at && end <= size && (t == cut->count || end > start));
        while (at < start) {
            at += dgm_utf8_decode(&code, text + at, size - at);
            CHECK(dgm_character_is_blank(code));
        }
        while (at < end) {
            at += dgm_utf8_decode(&code, text + at, size - at);
            CHECK(!dgm_character_is_blank(code));
        }
        CHECK_INT(at, end);
    }
}

enum { PARAGRAPHS = 40 };

TEST(cut_text_covers_the_text_whatever_the_threads)
{
    struct dgm_cut_token *want = NULL;
    size_t ends[PARAGRAPHS], count = 0, sentences = 0, multiwords = 0;
    struct dgm_buf text;

    memset(&text, 0, sizeof text);
    draw_text(&text, ends, PARAGRAPHS, 600);
    for (int threads = 1; threads <= 3; threads++) {
        struct lab lab;

        CHECK_STATUS(open_lab(&lab, threads), DGM_OK);
        CHECK_STATUS(dgm_cut_text_run(test_env(), &lab.cut, text.data, ends, PARAGRAPHS), DGM_OK);
        check_cover(&lab.cut, text.data, text.size);
        if (want == NULL) {
            count = lab.cut.count;
            want = malloc(count * sizeof *want);
            CHECK(want != NULL);
            memcpy(want, lab.cut.tokens, count * sizeof *want);
        }
        CHECK_INT(lab.cut.count, count);
        CHECK_MEM(lab.cut.tokens, want, count * sizeof *want);
        close_lab(&lab);
    }
    for (size_t t = 0; t < count; t++) {
        sentences += (size_t)want[t].ends_sentence;
        multiwords += (size_t)want[t].is_multiword;
    }
    CHECK(count > 2000 && sentences > PARAGRAPHS && sentences < count && multiwords > 0);
    free(want);
    dgm_buf_clear(test_env(), &text);
}

/* One paragraph of the text is cut alone: tokens from number *at on. */
static void check_alone(struct lab *lab, const struct dgm_cut_token *want, size_t *at,
                        const char *text, size_t from, size_t to)
{
    size_t bytes = to - from;

    CHECK_STATUS(dgm_cut_text_run(test_env(), &lab->cut, text + from, &bytes, 1), DGM_OK);
    for (size_t t = 0; t < lab->cut.count; t++, ++*at) {
        CHECK_INT(lab->cut.tokens[t].start + from, want[*at].start);
        CHECK_INT(lab->cut.tokens[t].end + from, want[*at].end);
        CHECK_INT(lab->cut.tokens[t].is_multiword, want[*at].is_multiword);
        CHECK_INT(lab->cut.tokens[t].ends_sentence, want[*at].ends_sentence);
        CHECK_INT(lab->cut.tokens[t].ends_paragraph, want[*at].ends_paragraph);
    }
}

/* Some paragraphs are longer than a step, so that its borders are elsewhere when they are alone. */
TEST(cut_paragraph_depends_on_nothing_else)
{
    enum { LONG = 5 };
    struct lab lab;
    struct dgm_cut_text all;
    size_t ends[LONG], at = 0;
    struct dgm_buf text;

    memset(&text, 0, sizeof text);
    draw_text(&text, ends, LONG, 9000);
    CHECK(text.size > 20000);
    CHECK_STATUS(open_lab(&lab, 1), DGM_OK);
    memset(&all, 0, sizeof all);
    CHECK_STATUS(dgm_cut_text_init(test_env(), &all, &lab.parser, lab.device), DGM_OK);
    CHECK_STATUS(dgm_cut_text_run(test_env(), &all, text.data, ends, LONG), DGM_OK);
    for (size_t p = 0, from = 0; p < LONG; from = ends[p++])
        check_alone(&lab, all.tokens, &at, text.data, from, ends[p]);
    CHECK_INT(at, all.count);
    dgm_cut_text_clear(test_env(), &all);
    close_lab(&lab);
    dgm_buf_clear(test_env(), &text);
}

TEST(cut_text_keeps_blanks_inside_tokens_where_the_treebank_has_some)
{
    static const char text[] = "a b a b a b a b a b a b\na b a b a b a b a b a b";
    const size_t end = sizeof text - 1;
    int inside = 0;
    struct lab lab;

    CHECK_STATUS(open_lab(&lab, 1), DGM_OK);
    lab.parser.lexicon.cuts.has_blanks = 1;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        CHECK_STATUS(dgm_params_initialise(test_env(), &lab.parser.net.params, seed), DGM_OK);
        CHECK_STATUS(dgm_cut_text_run(test_env(), &lab.cut, text, &end, 1), DGM_OK);
        for (size_t t = 0; t < lab.cut.count; t++) {
            const char *start = text + lab.cut.tokens[t].start;
            size_t bytes = lab.cut.tokens[t].end - lab.cut.tokens[t].start;

            CHECK(start[0] != ' ' && start[bytes - 1] != ' ');
            CHECK(memchr(start, '\n', bytes) == NULL);
            inside += memchr(start, ' ', bytes) != NULL;
        }
    }
    CHECK(inside > 0);
    close_lab(&lab);
}

/* A network that gives every character the same label: what each label says of a token that does
 * not end its paragraph. */
TEST(cut_text_takes_of_each_label_what_it_says)
{
    static const struct {
        unsigned label;
        int is_multiword, ends_sentence;
    } rows[] = {
        { DGM_CUT_TOKEN, 0, 0 },
        { DGM_CUT_MULTIWORD, 1, 0 },
        { DGM_CUT_SENTENCE, 0, 1 },
        { DGM_CUT_MULTIWORD_SENTENCE, 1, 1 },
    };
    static const char text[] = "ab ba";
    const size_t end = sizeof text - 1;
    struct lab lab;

    CHECK_STATUS(open_lab(&lab, 1), DGM_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        dgm_real bias[DGM_CUT_LABELS] = { 0 };

        bias[rows[i].label] = 1000;
        CHECK_STATUS(dgm_params_write(test_env(), &lab.parser.net.params,
                                      lab.parser.cutter.output.bias, bias),
                     DGM_OK);
        CHECK_STATUS(dgm_cut_text_run(test_env(), &lab.cut, text, &end, 1), DGM_OK);
        CHECK_INT(lab.cut.count, 4);
        for (size_t t = 0; t < 4; t++) {
            CHECK_INT(lab.cut.tokens[t].is_multiword, rows[i].is_multiword);
            CHECK_INT(lab.cut.tokens[t].ends_sentence, t == 3 || rows[i].ends_sentence);
            CHECK_INT(lab.cut.tokens[t].ends_paragraph, t == 3);
        }
    }
    close_lab(&lab);
}

/* A network of zeros and this bias: every character has its scores. */
static dgm_status cut_by_bias(struct lab *lab, const dgm_real bias[DGM_CUT_LABELS],
                              const char *text)
{
    struct dgm_params *params = &lab->parser.net.params;
    const dgm_param_id weight = lab->parser.cutter.output.weight;
    const dgm_real zeros[DGM_CUT_LABELS * 8] = { 0 };
    const size_t end = strlen(text);

    if (params->items[weight].rows * params->items[weight].cols != DGM_CUT_LABELS * 8)
        return DGM_FAILURE;
    DGM_TRY(dgm_params_write(test_env(), params, weight, zeros));
    DGM_TRY(dgm_params_write(test_env(), params, lab->parser.cutter.output.bias, bias));
    return dgm_cut_text_run(test_env(), &lab->cut, text, &end, 1);
}

TEST(cut_words_are_a_token_and_what_it_stands_for)
{
    static const char forms[] = "a b\0a'b\0a\0'b";
    struct dgm_buf found = { 0 };
    const struct dgm_multiwords *multiwords;
    struct lab lab;
    int32_t count;

    CHECK_STATUS(open_lab(&lab, 1), DGM_OK);
    multiwords = &lab.parser.lexicon.cuts.multiwords;
    CHECK_STATUS(dgm_cut_words_add(test_env(), &found, multiwords, "a \n b", 5, 1, &count), DGM_OK);
    CHECK_INT(count, 1); /* nothing tells its words */
    CHECK_STATUS(dgm_cut_words_add(test_env(), &found, multiwords, "a'b", 3, 1, &count), DGM_OK);
    CHECK_INT(count, 2);
    CHECK_INT(found.size, sizeof forms);
    CHECK_MEM(found.data, forms, sizeof forms);
    dgm_buf_reset(&found);
    CHECK_STATUS(dgm_cut_words_add(test_env(), &found, multiwords, "a'b", 3, 0, &count), DGM_OK);
    CHECK_INT(count, 1);
    CHECK_INT(found.size, 4);
    dgm_buf_clear(test_env(), &found);
    close_lab(&lab);
}

TEST(cut_text_takes_the_first_of_equal_labels)
{
    dgm_real bias[DGM_CUT_LABELS] = { 0 };
    struct lab lab;

    CHECK_STATUS(open_lab(&lab, 1), DGM_OK);
    CHECK_STATUS(cut_by_bias(&lab, bias, "abba"), DGM_OK); /* nothing ends, but the text */
    CHECK_INT(lab.cut.count, 1);
    CHECK_INT(lab.cut.tokens[0].is_multiword, 0);
    bias[DGM_CUT_NOTHING] = -1;
    CHECK_STATUS(cut_by_bias(&lab, bias, "abba"), DGM_OK);
    CHECK_INT(lab.cut.count, 4);
    CHECK_INT(lab.cut.tokens[0].is_multiword + lab.cut.tokens[0].ends_sentence, 0);
    close_lab(&lab);
}

/* Whichever label has it, and though another is better; and one that none that ends a token has. */
TEST(cut_text_refuses_scores_that_are_no_numbers)
{
    struct lab lab;

    CHECK_STATUS(open_lab(&lab, 1), DGM_OK);
    for (int label = 0; label <= DGM_CUT_LABELS; label++) {
        dgm_real bias[DGM_CUT_LABELS] = { 0 };

        bias[label == 1 ? 2 : 1] = 1;
        for (int i = 1; i < DGM_CUT_LABELS && label == DGM_CUT_LABELS; i++)
            bias[i] = -(dgm_real)INFINITY;
        if (label < DGM_CUT_LABELS)
            bias[label] = (dgm_real)NAN;
        CHECK_STATUS(cut_by_bias(&lab, bias, "ab"), DGM_MODEL);
        dgm_env_clear_error(test_env());
    }
    close_lab(&lab);
}

TEST(cut_text_without_characters_has_no_tokens)
{
    static const char text[] = " \n\t\xC2\xA0\n";
    const size_t ends[] = { 0, 2, sizeof text - 1 };
    struct lab lab;

    CHECK_STATUS(open_lab(&lab, 1), DGM_OK);
    CHECK_STATUS(dgm_cut_text_run(test_env(), &lab.cut, text, ends, 3), DGM_OK);
    CHECK_INT(lab.cut.count, 0);
    CHECK_STATUS(dgm_cut_text_run(test_env(), &lab.cut, "", ends, 0), DGM_OK);
    lab.parser.cutter.width = 0;
    dgm_cut_text_clear(test_env(), &lab.cut);
    CHECK_STATUS(dgm_cut_text_init(test_env(), &lab.cut, &lab.parser, lab.device), DGM_MODEL);
    dgm_env_clear_error(test_env());
    close_lab(&lab);
}
