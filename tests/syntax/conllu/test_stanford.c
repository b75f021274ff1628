/* test_stanford.c: Stanford typed dependencies in and out. */
#include "base/file/file.h"
#include "base/file/writer.h"
#include "syntax/conllu/stanford.h"

#include "test.h"
#include "treebank_copy.h"

#include <stdio.h>
#include <string.h>

static const struct dgm_conllu_options lenient = { .lenient = 1 };

struct reading {
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    char path[512];
    int more;
};

static dgm_status begin(struct reading *reading, const char *text,
                        const struct dgm_conllu_options *options)
{
    struct dgm_conllu_options typed = { .format = DGM_CONLLU_TYPED };
    struct dgm_writer writer;

    if (options != NULL)
        typed = *options;
    typed.format = DGM_CONLLU_TYPED;
    memset(reading, 0, sizeof *reading);
    memset(&writer, 0, sizeof writer);
    snprintf(reading->path, sizeof reading->path, "%s/t.typed", test_dir());
    DGM_TRY(dgm_writer_open(test_env(), &writer, reading->path));
    dgm_writer_add(test_env(), &writer, text, strlen(text));
    DGM_TRY(dgm_writer_close(test_env(), &writer));
    return dgm_conllu_reader_open(test_env(), &reading->reader, reading->path, &typed);
}

static dgm_status next(struct reading *reading)
{
    return dgm_conllu_reader_next(test_env(), &reading->reader, &reading->sentence, &reading->more);
}

static void end(struct reading *reading)
{
    dgm_conllu_reader_close(test_env(), &reading->reader);
    dgm_conllu_clear(test_env(), &reading->sentence);
    dgm_env_clear_error(test_env());
}

static const char *form(const struct reading *reading, int32_t word)
{
    return dgm_conllu_field(&reading->sentence, word, DGM_CONLLU_FORM);
}

static void refuses(const char *text, long line, const char *message)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, text, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_STR(test_env()->error.message, message);
    CHECK_INT(test_env()->error.line, line);
    end(&reading);
}

/* The first sentence of `text` has these heads (from 0, a root its own head). */
static void accepts(const char *text, const int32_t *heads, int32_t count,
                    const struct dgm_conllu_options *options)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, text, options), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.sentence.tree.count, count);
    CHECK_INT(reading.sentence.tree.has_parse, heads != NULL);
    if (heads != NULL)
        CHECK_MEM(reading.sentence.tree.head, heads, (size_t)count * sizeof *heads);
    end(&reading);
}

static void writes(const struct dgm_conllu_sentence *sentence, const char *want)
{
    struct dgm_buf got = { NULL, 0, 0, 0 };
    struct dgm_writer writer;
    char path[512];

    memset(&writer, 0, sizeof writer);
    snprintf(path, sizeof path, "%s/written", test_dir());
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, path), DGM_OK);
    CHECK_STATUS(dgm_stanford_write(test_env(), &writer, sentence), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
    CHECK_STATUS(dgm_file_read(test_env(), &got, path), DGM_OK);
    CHECK_STR(got.data, want);
    dgm_buf_clear(test_env(), &got);
}

/* After the example of the Stanford dependencies manual (de Marneffe and Manning, 2008), basic
 * variant, shortened. Punctuation has no lines: word 4 is missing, and so is the final
 * full stop. */
static const char bell[] = "nsubj(makes-8, Bell-1)\n"
                           "nsubj(based-3, which-2)\n"
                           "rcmod(Bell-1, based-3)\n"
                           "prep(based-3, in-5)\n"
                           "pobj(in-5, LA-6)\n"
                           "root(ROOT-0, makes-8)\n"
                           "conj(makes-8, distributes-10)\n"
                           "cc(makes-8, and-9)\n"
                           "nn(products-11, electronic-12)\n"
                           "dobj(makes-8, products-11)\n\n";

TEST(typed_reads_a_sentence_whose_punctuation_was_left_out)
{
    static const int32_t want[] = { 7, 2, 0, 7, 2, 4, 7, 7, 7, 7, 7, 10 };
    struct reading reading;

    CHECK_STATUS(begin(&reading, bell, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.sentence.tree.count, 12);
    CHECK_MEM(reading.sentence.tree.head, want, sizeof want);
    CHECK_STR(form(&reading, 0), "Bell");
    CHECK_STR(form(&reading, 3), "_");
    CHECK_STR(dgm_conllu_field(&reading.sentence, 3, DGM_CONLLU_DEPREL), "punct");
    CHECK_STR(dgm_conllu_field(&reading.sentence, 3, DGM_CONLLU_MISC), "Missing=Yes");
    CHECK_STR(dgm_conllu_field(&reading.sentence, 7, DGM_CONLLU_DEPREL), "root");
    CHECK_STR(dgm_conllu_field(&reading.sentence, 5, DGM_CONLLU_DEPREL), "pobj");
    writes(&reading.sentence, "nsubj(makes-8, Bell-1)\n"
                              "nsubj(based-3, which-2)\n"
                              "rcmod(Bell-1, based-3)\n"
                              "prep(based-3, in-5)\n"
                              "pobj(in-5, LA-6)\n"
                              "root(ROOT-0, makes-8)\n"
                              "cc(makes-8, and-9)\n"
                              "conj(makes-8, distributes-10)\n"
                              "dobj(makes-8, products-11)\n"
                              "nn(products-11, electronic-12)\n\n");
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 0);
    end(&reading);
}

TEST(typed_forms_may_hold_hyphens_brackets_commas_and_blanks)
{
    static const char text[] = "dep(x-2, :-(-1)\n"
                               "root(ROOT-0, x-2)\n"
                               "punct(x-2, ,-3)\n"
                               "dep(,-3, well-known-4)\n"
                               "dep(x-2, f(a,b)-5)\n"
                               "dep(f(a,b)-5, 1\xC2\xA0"
                               "000-6)\n"
                               "dep(x-2, --7)\n"
                               "dep(--7, -12-8)\n"
                               "dep(x-2, '-9)\n\n";
    static const char *const forms[] = { ":-(",
                                         "x",
                                         ",",
                                         "well-known",
                                         "f(a,b)",
                                         ("1\xC2\xA0"
                                          "000"),
                                         "-",
                                         "-12",
                                         "'" };
    struct reading reading;
    int i;

    CHECK_STATUS(begin(&reading, text, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.sentence.tree.count, 9);
    for (i = 0; i < 9; i++)
        CHECK_STR(form(&reading, i), forms[i]);
    CHECK_INT(reading.sentence.tree.head[7], 6);
    writes(&reading.sentence, text);
    end(&reading);
    CHECK_STATUS(begin(&reading, "root(ROOT-0, 1 2/3-1)", NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STR(form(&reading, 0), "1 2/3");
    writes(&reading.sentence, "root(ROOT-0, 1\xC2\xA0"
                              "2/3-1)\n\n");
    end(&reading);
}

TEST(typed_finds_the_root_that_old_tools_do_not_write)
{
    static const int32_t one[] = { 1, 1, 1 };
    static const int32_t two[] = { 0, 0, 2, 2 };
    struct dgm_conllu_options keep = { .multi_root = DGM_MULTI_ROOT_KEEP };

    accepts("nsubj(saw-2, I-1)\ndobj(saw-2, it-3)\n\n", one, 3, NULL);
    accepts("x(a-1, b-2)\nx(c-3, d-4)\n\n", two, 4, &keep);
    refuses("x(a-1, b-2)\nx(c-3, d-4)\n\n", 1,
            "2 roots (words 1, 3); expected 1 (--multi-root=attach-first or keep accepts "
            "more) [E_ROOT]");
}

TEST(typed_refuses_what_is_no_tree)
{
    refuses("x(a-1, b-2)\ny(c-3, b-2)\nroot(ROOT-0, a-1)\n\n", 2,
            "word 2 has a second governor, after line 1; expected basic dependencies, one "
            "for each word [E_HEAD]");
    refuses("x(a-1, b-2)\nx(b-2, a-1)\n\n", 2, "no root; expected one word with HEAD 0 [E_ROOT]");
    refuses("root(ROOT-0, r-1)\nx(a-2, b-3)\nx(b-3, a-2)\n\n", 3,
            "cycle 2 -> 3 -> 2; expected a tree [E_CYCLE]");
    refuses("x(a-1, a-1)\n\n", 1,
            "HEAD of word 1 is the word itself; expected another word or 0 [E_HEAD]");
    refuses("x(a-1, b-2)\nx(c-1, d-3)\n\n", 2,
            "word 1 is \"c\"; expected \"a\" as in line 1 [E_FORM]");
    accepts("x(a-1, b-2)\ny(c-3, b-2)\nroot(ROOT-0, a-1)\n\n", NULL, 3, &lenient);
}

TEST(typed_refuses_lines_of_another_form)
{
    static const char *const wrong[] = { "nsubj",
                                         "(a-1, b-2)",
                                         "x(a-1 b-2)",
                                         "x(a-1, b-2",
                                         "x(a, b-2)",
                                         "x(-1, b-2)",
                                         "x(a-1, -2)",
                                         "x(a-01, b-2)",
                                         "x(a-1, ROOT-0)",
                                         "x(LEFT-0, b-2)",
                                         "x(a-1, b-2) ...",
                                         "x(a-1, b-99999999999)",
                                         "root(ROOT-0', a-1)x" };
    char text[100], message[200];
    size_t i;

    for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(text, sizeof text, "%s\n\n", wrong[i]);
        snprintf(message, sizeof message,
                 "\"%s\"; expected relation(governor-N, dependent-N) [E_TYPED]", wrong[i]);
        refuses(text, 1, message);
    }
    refuses("root(ROOT-0, a\t-1)\n\n", 1,
            "\"root(ROOT-0, a\\x09-1)\"; expected relation(governor-N, dependent-N) "
            "[E_TYPED]");
    accepts("root(ROOT-0, a-1)\nnonsense\n\n", NULL, 1, &lenient);
}

TEST(typed_refuses_copies_and_a_lenient_reader_skips_them)
{
    static const char text[] = "root(ROOT-0, makes-1)\nconj(makes-1, makes-1')\n"
                               "dobj(makes-1, it-2)\n\n";
    static const int32_t want[] = { 0, 0 };

    refuses(text, 2, "copy of a word (N'); expected basic dependencies [E_COPY]");
    accepts(text, want, 2, &lenient);
}

TEST(typed_bounds_the_numbers_of_words)
{
    static const int32_t want[] = { 0 };

    refuses("root(ROOT-0, a-1)\nx(a-1, b-100000)\n\n", 2,
            "word 100000 in a sentence of 2 lines; expected at most 80 words [E_LIMIT]");
    accepts("root(ROOT-0, a-1)\nx(a-1, b-100000)\n\n", NULL, 1, &lenient);
    accepts("root(ROOT-0, a-1)\n\n", want, 1, NULL);
}

TEST(typed_goes_on_behind_a_faulty_sentence)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, "bad\nroot(ROOT-0, a-1)\n\n\nroot(ROOT-0, b-1)\n", NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STR(form(&reading, 0), "b");
    end(&reading);
}

TEST(typed_cannot_write_what_it_could_not_read)
{
    struct dgm_writer writer;
    struct reading reading;
    char path[512];

    memset(&writer, 0, sizeof writer);
    snprintf(path, sizeof path, "%s/written", test_dir());
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, path), DGM_OK);
    CHECK_STATUS(begin(&reading, "root(ROOT-0, a-1)\nnonsense\n\n", &lenient), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STATUS(dgm_stanford_write(test_env(), &writer, &reading.sentence), DGM_DATA);
    CHECK_STR(test_env()->error.message, "sentence without a parse; typed dependencies need one");
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
    end(&reading);
}

/* Every tree of a published treebank comes back from its typed dependencies. */
TEST(typed_keeps_the_trees_of_a_published_treebank)
{
    static const struct treebank_format format = { DGM_CONLLU_TYPED, dgm_stanford_write };

    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    treebank_survives(&format, "en_ewt/dev.conllu");
}
