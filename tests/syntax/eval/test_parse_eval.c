/* test_parse_eval.c: the metrics of the CoNLL 2018 shared task on files made by hand; every
 * number here was counted on paper. */
#include "syntax/eval/parse_eval.h"

#include "base/file/writer.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

/* ---- helpers ---------------------------------------------------------------------- */

#define ROW(id, form, lemma, upos, feats, head, relation) \
    id "\t" form "\t" lemma "\t" upos "\t_\t" feats "\t" head "\t" relation "\t_\t_\n"
#define W(id, form, head, relation) ROW(id, form, "_", "X", "_", head, relation)
#define RANGE(id, form) id "\t" form "\t_\t_\t_\t_\t_\t_\t_\t_\n"

static dgm_status write_file(char path[512], const char *name, const char *text)
{
    struct dgm_writer writer;
    dgm_status status;

    snprintf(path, 512, "%s/%s", test_dir(), name);
    memset(&writer, 0, sizeof writer);
    DGM_TRY(dgm_writer_open(test_env(), &writer, path));
    status = dgm_writer_add(test_env(), &writer, text, strlen(text));
    DGM_TRY(dgm_writer_close(test_env(), &writer));
    return status;
}

static dgm_status evaluate_with(dgm_parse_counts counts[DGM_PARSE_METRICS], const char *gold,
                                const char *system, enum dgm_multi_root multi_root)
{
    char gold_path[512], system_path[512];

    DGM_TRY(write_file(gold_path, "gold.conllu", gold));
    DGM_TRY(write_file(system_path, "system.conllu", system));
    return dgm_parse_eval_files(test_env(), counts, gold_path, system_path, multi_root, 0);
}

static dgm_status evaluate(dgm_parse_counts counts[DGM_PARSE_METRICS], const char *gold,
                           const char *system)
{
    return evaluate_with(counts, gold, system, DGM_MULTI_ROOT_ERROR);
}

#define CHECK_COUNTS(metric, want_correct, want_gold, want_system, want_aligned) \
    do {                                                                         \
        CHECK_INT(counts[DGM_PARSE_##metric].correct, want_correct);             \
        CHECK_INT(counts[DGM_PARSE_##metric].gold, want_gold);                   \
        CHECK_INT(counts[DGM_PARSE_##metric].system, want_system);               \
        CHECK_INT(counts[DGM_PARSE_##metric].aligned, want_aligned);             \
    } while (0)

/* ---- words that agree ------------------------------------------------------------- */

static const char dogs[] = ROW("1", "The", "the", "DET", "Definite=Def", "2", "det")
    ROW("2", "dogs", "dog", "NOUN", "Number=Plur", "4", "nsubj")
        ROW("3", "have", "have", "AUX", "_", "4", "aux")
            ROW("4", "barked", "bark", "VERB", "_", "0", "root")
                ROW("5", ".", ".", "PUNCT", "_", "4", "punct") "\n";

TEST(parse_eval_of_a_file_with_itself_is_perfect)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];
    int metric;

    CHECK_STATUS(evaluate(counts, dogs, dogs), DGM_OK);
    for (metric = 0; metric < DGM_PARSE_METRICS; metric++) {
        CHECK_INT(counts[metric].correct, counts[metric].gold);
        CHECK_INT(counts[metric].correct, counts[metric].system);
    }
    CHECK_COUNTS(TOKENS, 5, 5, 5, -1);
    CHECK_COUNTS(SENTENCES, 1, 1, 1, -1);
    CHECK_COUNTS(WORDS, 5, 5, 5, -1);
    CHECK_COUNTS(LAS, 5, 5, 5, 5);
    CHECK_COUNTS(CLAS, 2, 2, 2, 2); /* dogs, barked */
    CHECK_COUNTS(MLAS, 2, 2, 2, 2);
}

/* The article hangs from the verb: its own head is wrong, and "dogs" lacks a functional
 * dependent that "barked" has one too many of. */
TEST(parse_eval_counts_functional_words_in_MLAS_only)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];

    CHECK_STATUS(evaluate(counts, dogs,
                          ROW("1", "The", "the", "DET", "_", "4", "det")
                              ROW("2", "dogs", "Dog", "NOUN", "Number=Plur", "4", "nsubj:pass")
                                  ROW("3", "have", "have", "VERB", "_", "4", "aux:tense")
                                      ROW("4", "barked", "bark", "VERB", "_", "0", "root")
                                          ROW("5", ".", "", "PUNCT", "_", "4", "dep") "\n"),
                 DGM_DATA); /* an empty lemma */
    dgm_env_clear_error(test_env());
    CHECK_STATUS(evaluate(counts, dogs,
                          ROW("1", "The", "the", "DET", "_", "4", "det")
                              ROW("2", "dogs", "Dog", "NOUN", "Number=Plur", "4", "nsubj:pass")
                                  ROW("3", "have", "have", "VERB", "_", "4", "aux:tense")
                                      ROW("4", "barked", "bark", "VERB", "_", "0", "root")
                                          ROW("5", ".", ".", "PUNCT", "_", "4", "dep") "\n"),
                 DGM_OK);
    CHECK_COUNTS(UPOS, 4, 5, 5, 5);
    CHECK_COUNTS(UFEATS, 4, 5, 5, 5);
    CHECK_COUNTS(ALLTAGS, 3, 5, 5, 5);
    CHECK_COUNTS(LEMMAS, 4, 5, 5, 5);
    CHECK_COUNTS(UAS, 4, 5, 5, 5);
    CHECK_COUNTS(LAS, 3, 5, 5, 5);
    CHECK_COUNTS(CLAS, 2, 2, 3, 2); /* `dep` is of content words: the full stop counts */
    CHECK_COUNTS(MLAS, 0, 2, 3, 2);
    CHECK_COUNTS(BLEX, 1, 2, 3, 2);
}

/* An auxiliary with another tag or feature spoils the MLAS of its verb; the order of features,
 * those that are not universal, and lemmas that gold leaves open spoil nothing. */
TEST(parse_eval_compares_universal_features_and_given_lemmas)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];
    const char *gold = ROW("1", "ist", "sein", "AUX", "Mood=Ind|Number=Sing", "2", "cop")
        ROW("2", "rot", "_", "ADJ", "Degree=Pos|Foo=1", "0", "root") "\n";

    CHECK_STATUS(evaluate(counts, gold,
                          ROW("1", "ist", "_", "AUX", "Number=Sing|Bar=2|Mood=Ind", "2", "cop")
                              ROW("2", "rot", "x", "ADJ", "Degree=Pos", "0", "root") "\n"),
                 DGM_OK);
    CHECK_COUNTS(UFEATS, 2, 2, 2, 2);
    CHECK_COUNTS(LEMMAS, 1, 2, 2, 2);
    CHECK_COUNTS(BLEX, 1, 1, 1, 1);
    CHECK_COUNTS(MLAS, 1, 1, 1, 1);
    CHECK_STATUS(evaluate(counts, gold,
                          ROW("1", "ist", "sein", "VERB", "Mood=Ind|Number=Sing", "2", "cop")
                              ROW("2", "rot", "rot", "ADJ", "Degree=Pos", "0", "root") "\n"),
                 DGM_OK);
    CHECK_COUNTS(CLAS, 1, 1, 1, 1);
    CHECK_COUNTS(MLAS, 0, 1, 1, 1);
    CHECK_STATUS(evaluate(counts, gold,
                          ROW("1", "ist", "sein", "AUX", "Mood=Ind", "2", "cop")
                              ROW("2", "rot", "rot", "ADJ", "Degree=Pos", "0", "root") "\n"),
                 DGM_OK);
    CHECK_COUNTS(CLAS, 1, 1, 1, 1);
    CHECK_COUNTS(MLAS, 0, 1, 1, 1);
}

/* ---- words that do not ------------------------------------------------------------ */

/* "cannot": one token here, two there; the word behind it keeps its place, and its head. */
TEST(parse_eval_aligns_tokens_by_their_characters)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];

    CHECK_STATUS(evaluate(counts,
                          W("1", "I", "3", "nsubj") W("2", "cannot", "3", "aux")
                              W("3", "go", "0", "root") "\n",
                          W("1", "I", "4", "nsubj") W("2", "can", "4", "aux")
                              W("3", "not", "4", "advmod") W("4", "go", "0", "root") "\n"),
                 DGM_OK);
    CHECK_COUNTS(TOKENS, 2, 3, 4, -1);
    CHECK_COUNTS(WORDS, 2, 3, 4, -1);
    CHECK_COUNTS(LAS, 2, 3, 4, 2);
    CHECK_COUNTS(CLAS, 2, 2, 3, 2);
    CHECK_COUNTS(MLAS, 1, 2, 3, 2); /* "go" has "can" where gold has "cannot" */
}

/* A head that is not aligned is never right, not even for the other's root. */
TEST(parse_eval_takes_no_head_for_another_one)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];

    CHECK_STATUS(evaluate(counts, W("1", "a", "0", "root") W("2", "bc", "1", "obj") "\n",
                          W("1", "a", "2", "root") W("2", "b", "0", "obj")
                              W("3", "c", "2", "obj") "\n"),
                 DGM_OK);
    CHECK_COUNTS(UAS, 0, 2, 3, 1);
}

TEST(parse_eval_scores_sentence_boundaries)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];

    CHECK_STATUS(evaluate(counts,
                          W("1", "a", "0", "root") "\n" W("1", "b", "0", "root")
                              W("2", "c", "1", "obj") "\n" W("1", "d", "0", "root") "\n",
                          W("1", "a", "0", "root")
                              W("2", "b", "1", "obj") "\n" W("1", "c", "0",
                                                             "root") "\n" W("1", "d", "0",
                                                                            "root") "\n"),
                 DGM_OK);
    CHECK_COUNTS(SENTENCES, 1, 3, 3, -1);
    CHECK_COUNTS(WORDS, 4, 4, 4, -1);
    CHECK_COUNTS(LAS, 2, 4, 4, 4);
}

/* ---- tokens of several words ------------------------------------------------------ */

/* "du": de + le here, one word there. Nothing matches by form, and the neighbours do. */
TEST(parse_eval_matches_the_words_of_a_token)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];
    const char *gold = W("1", "vient", "0", "root") RANGE("2-3", "du") W("2", "de", "4", "case")
        W("3", "le", "4", "det") W("4", "bois", "1", "obl") "\n";

    CHECK_STATUS(evaluate(counts, gold,
                          W("1", "vient", "0", "root") W("2", "du", "3", "case")
                              W("3", "bois", "1", "obl") "\n"),
                 DGM_OK);
    CHECK_COUNTS(TOKENS, 3, 3, 3, -1);
    CHECK_COUNTS(WORDS, 2, 4, 3, -1);
    CHECK_COUNTS(LAS, 2, 4, 3, 2);
    CHECK_COUNTS(MLAS, 1, 2, 2, 2); /* "vient"; "bois" lacks its articles */
    /* Forms of words are compared in lower case, and a word too many is left out. */
    CHECK_STATUS(evaluate(counts, gold,
                          W("1", "vient", "0", "root") RANGE("2-4", "du") W("2", "DE", "5", "case")
                              W("3", "x", "5", "dep") W("4", "Le", "5", "det")
                                  W("5", "bois", "1", "obl") "\n"),
                 DGM_OK);
    CHECK_COUNTS(WORDS, 4, 4, 5, -1);
    CHECK_COUNTS(LAS, 4, 4, 5, 4);
    CHECK_COUNTS(MLAS, 2, 2, 3, 2);
}

/* Gold: abc | d; system: a | bcd with the same words: one stretch of text, matched as a whole. */
TEST(parse_eval_joins_tokens_that_overlap)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];

    CHECK_STATUS(evaluate(counts,
                          W("1", "z", "0", "root") RANGE("2-3", "abc") W("2", "p", "1", "obj")
                              W("3", "q", "1", "obj") W("4", "d", "1", "obj") "\n",
                          W("1", "z", "0", "root") W("2", "a", "1", "obj") RANGE("3-5", "bcd")
                              W("3", "q", "1", "obj") W("4", "p", "1", "obj")
                                  W("5", "D", "1", "obj") "\n"),
                 DGM_OK);
    CHECK_COUNTS(TOKENS, 1, 3, 3, -1);
    CHECK_COUNTS(WORDS, 3, 4, 5, -1); /* z, one of p and q, d */
    CHECK_COUNTS(LAS, 3, 4, 5, 3);
}

/* The length of a longest common subsequence by trying every subset of the shorter text. */
static int brute_lcs(const char *x, const char *y)
{
    unsigned subset, best = 0;

    for (subset = 0; subset < 1u << strlen(x); subset++) {
        unsigned at = 0, size = 0, i;
        for (i = 0; x[i] != '\0'; i++) {
            if (!(subset >> i & 1))
                continue;
            while (y[at] != '\0' && y[at] != x[i])
                at++;
            if (y[at++] == '\0')
                break;
            size++;
        }
        if (x[i] == '\0' && size > best)
            best = size;
    }
    return (int)best;
}

/* One token "W" of the words that are the letters of `words`. */
static void print_letters(char *out, size_t size, const char *words)
{
    size_t i, count = strlen(words);
    size_t used = (size_t)snprintf(out, size, "1-%d\tW\t_\t_\t_\t_\t_\t_\t_\t_\n", (int)count);

    for (i = 0; i < count; i++)
        used += (size_t)snprintf(out + used, size - used, "%d\t%c\t_\tX\t_\t_\t%d\tdep\t_\t_\n",
                                 (int)i + 1, words[i], i == 0 ? 0 : 1);
    snprintf(out + used, size - used, "\n");
}

TEST(parse_eval_finds_a_longest_common_subsequence)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];
    char gold[1024], system[1024], x[9], y[9];
    unsigned state = 1, round, i;

    for (round = 0; round < 60; round++) {
        for (i = 0; i < 8; i++) {
            state = state * 1103515245u + 12345u;
            x[i] = (char)('a' + (state >> 16) % 3);
            y[i] = (char)('a' + (state >> 20) % 3);
        }
        x[2 + (state >> 24) % 7] = y[2 + (state >> 27) % 7] = '\0';
        x[8] = y[8] = '\0';
        print_letters(gold, sizeof gold, x);
        print_letters(system, sizeof system, y);
        CHECK_STATUS(evaluate(counts, gold, system), DGM_OK);
        CHECK_INT(counts[DGM_PARSE_WORDS].correct, brute_lcs(x, y));
    }
}

/* ---- characters ------------------------------------------------------------------- */

/* U+00A0 and U+3000 are spaces as well; empty nodes are no words. */
TEST(parse_eval_leaves_spaces_out)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];

    CHECK_STATUS(evaluate(counts, W("1", "10 000", "2", "nummod") W("2", "ab", "0", "root") "\n",
                          W("1", "10000", "2", "nummod")
                              W("2",
                                "a\302\240\343\200\200"
                                "b",
                                "0", "root") "2.1\tno\t_\t_\t_\t_\t_\t_\t2:obj\t_\n\n"),
                 DGM_OK);
    CHECK_COUNTS(WORDS, 2, 2, 2, -1);
    CHECK_COUNTS(LAS, 2, 2, 2, 2);
}

static int message_holds(const char *part)
{
    return strstr(test_env()->error.message, part) != NULL;
}

TEST(parse_eval_names_the_place_where_texts_differ)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];
    const char *gold = "# x\n" W("1", "a", "0", "root") W("2", "\303\244\303\266", "1", "obj") "\n";

    CHECK_STATUS(evaluate(counts, gold,
                          W("1", "a\303\244", "0", "root") "\n" W("1", "\303\274", "0",
                                                                  "root") "\n"),
                 DGM_DATA);
    CHECK_INT(test_env()->error.line, 3);
    CHECK(strstr(test_env()->error.file, "system.conllu") != NULL);
    CHECK(message_holds("\"\303\274\" where line 3 of \""));
    CHECK(message_holds("has \"\303\244\303\266\""));
    dgm_env_clear_error(test_env());
    CHECK_STATUS(evaluate(counts, gold, W("1", "A", "0", "root") "\n"), DGM_DATA);
    CHECK(message_holds("\"A\" where line 2 of \""));
    dgm_env_clear_error(test_env());
    CHECK_STATUS(evaluate(counts, gold, W("1", "a", "0", "root") "\n"), DGM_DATA);
    CHECK(message_holds("the text ends with \"a\" where line 3 of \""));
    dgm_env_clear_error(test_env());
    CHECK_STATUS(evaluate(counts, W("1", "a", "0", "root") "\n", gold), DGM_DATA);
    CHECK(message_holds("the text goes on with"));
    CHECK_INT(test_env()->error.line, 3);
}

/* ---- faults ----------------------------------------------------------------------- */

TEST(parse_eval_refuses_what_is_no_tree)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];
    const char *good = W("1", "a", "0", "root") W("2", "b", "1", "obj") "\n";
    const char *roots = W("1", "a", "0", "root") W("2", "b", "0", "root") "\n";
    const char *cycle = W("1", "a", "2", "obj") W("2", "b", "1", "obj") "\n";

    CHECK_STATUS(evaluate(counts, good, roots), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(evaluate_with(counts, good, roots, DGM_MULTI_ROOT_KEEP), DGM_OK);
    CHECK_COUNTS(UAS, 1, 2, 2, 2);
    CHECK_STATUS(evaluate_with(counts, good, roots, DGM_MULTI_ROOT_ATTACH_FIRST), DGM_OK);
    CHECK_COUNTS(UAS, 2, 2, 2, 2);
    CHECK_COUNTS(LAS, 1, 2, 2, 2);
    CHECK_STATUS(evaluate_with(counts, roots, good, DGM_MULTI_ROOT_KEEP), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(evaluate(counts, good, cycle), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(evaluate(counts, good, ""), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(evaluate(counts, W("1", "\302\240", "0", "root") "\n", good), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_parse_eval_files(test_env(), counts, "-", "-", DGM_MULTI_ROOT_ERROR, 0),
                 DGM_USAGE);
    dgm_env_clear_error(test_env());
}

/* ---- the interface ---------------------------------------------------------------- */

static dgm_status keep(void *user, const char *text, size_t bytes)
{
    snprintf(user, 4096, "%.*s", (int)bytes, text);
    return DGM_OK;
}

/* Of "The dogs have barked ." the first three depend on what follows; "." and the root are left. */
TEST(parse_eval_leaves_words_out_whose_head_stands_behind_them)
{
    static const char forest[] = ROW("1", "The", "the", "DET", "_", "0", "root")
        ROW("2", "dogs", "dog", "NOUN", "_", "1", "dep")
            ROW("3", "have", "_", "X", "_", "0", "root")
                ROW("4", "barked", "bark", "VERB", "_", "3", "dep")
                    ROW("5", ".", ".", "PUNCT", "_", "4", "dep") "\n";
    dgm_parse_counts counts[DGM_PARSE_METRICS];
    char gold[512], system[512];

    CHECK_STATUS(write_file(gold, "gold.conllu", dogs), DGM_OK);
    CHECK_STATUS(write_file(system, "forest.conllu", forest), DGM_OK);
    CHECK_STATUS(dgm_parse_eval_files(test_env(), counts, gold, system, DGM_MULTI_ROOT_KEEP, 1),
                 DGM_OK);
    CHECK_COUNTS(UAS, 1, 2, 2, 2);
    CHECK_COUNTS(UPOS, 2, 2, 2, 2);
    CHECK_COUNTS(WORDS, 2, 2, 2, -1);
    CHECK_COUNTS(CLAS, 0, 1, 2, 1);
    CHECK_COUNTS(TOKENS, 5, 5, 5, -1);
    CHECK_STATUS(dgm_parse_eval_files(test_env(), counts, gold, system, DGM_MULTI_ROOT_KEEP, 0),
                 DGM_OK);
    CHECK_COUNTS(UAS, 1, 5, 5, 5);
}

TEST(parse_eval_interface_hands_out_counts_and_tables)
{
    dgm_parse_eval_options options = { sizeof options, NULL, 0, 0, 0, 0 };
    dgm_parse_counts counts[DGM_PARSE_METRICS];
    char path[512], text[4096] = "";
    dgm_context *context;

    CHECK_STATUS(write_file(path, "dogs.conllu", dogs), DGM_OK);
    CHECK_STATUS(dgm_parse_eval(NULL, path, path, NULL, keep, text), DGM_USAGE);
    CHECK_STATUS(dgm_parse_eval_count(NULL, path, path, NULL, counts, 1), DGM_USAGE);
    CHECK_STATUS(dgm_context_new(NULL, &context), DGM_OK);
    counts[1].gold = 77;
    CHECK_STATUS(dgm_parse_eval_count(context, path, path, NULL, counts, 1), DGM_OK);
    CHECK_INT(counts[0].gold, 5);
    CHECK_INT(counts[1].gold, 77);
    CHECK_STATUS(dgm_parse_eval(context, path, path, NULL, keep, text), DGM_OK);
    CHECK_STR(text, "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"
                    "-----------+-----------+-----------+-----------+-----------\n"
                    "UPOS       |    100.00 |    100.00 |    100.00 |    100.00\n"
                    "UAS        |    100.00 |    100.00 |    100.00 |    100.00\n"
                    "LAS        |    100.00 |    100.00 |    100.00 |    100.00\n"
                    "CLAS       |    100.00 |    100.00 |    100.00 |    100.00\n"
                    "MLAS       |    100.00 |    100.00 |    100.00 |    100.00\n");
    options.multi_root = "first";
    CHECK_STATUS(dgm_parse_eval(context, path, path, &options, keep, text), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_parse_eval_count(context, path, path, NULL, counts, 100), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_parse_eval(context, NULL, path, NULL, keep, text), DGM_USAGE);
    dgm_context_free(context);
}

TEST(attachment_counts_words_of_the_same_tokens)
{
    static const int32_t head[] = { 1, 1, 1 }, other[] = { 1, 1, 0 };
    static const int32_t label[] = { 4, 5, 6 }, other_label[] = { 4, 6, 6 };
    struct dgm_attachment_arcs gold = { head, label, NULL }, system = { other, other_label, label };
    struct dgm_attachment sum = { 0, 0, 0, 0 };

    dgm_attachment_add(&sum, &gold, &system, 3);
    CHECK_INT(sum.words, 3);
    CHECK_INT(sum.heads, 2);
    CHECK_INT(sum.labels, 1);
    CHECK_INT(sum.tags, 0);
    gold.tag = other_label;
    dgm_attachment_add(&sum, &gold, &system, 2);
    CHECK_INT(sum.words, 5);
    CHECK_INT(sum.tags, 1);
    CHECK_NEAR(dgm_attachment_percent(sum.heads, sum.words), 80, 1e-12);
    CHECK_NEAR(dgm_attachment_percent(0, 0), 0, 0);
}
