/* test_bracket.c: rows 48 to 60 of the catalogue of bad inputs, and what is read of good
 * ones. */
#include "base/file/file.h"
#include "base/file/writer.h"
#include "base/mem.h"
#include "syntax/bracket/bracket_reader.h"
#include "syntax/tree/forms.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

struct reading {
    struct dgm_bracket_reader reader;
    struct dgm_bracket_tree tree;
    char path[512];
    int more;
};

static const struct dgm_bracket_options strict = { .mode = DGM_BRACKET_LINES };
static const struct dgm_bracket_options lenient = { .lenient = 1 };
static const struct dgm_bracket_options freely = { .mode = DGM_BRACKET_FREE };
static const struct dgm_bracket_options cutting = { .cut_labels = 1 };

static dgm_status begin_bytes(struct reading *reading, const char *bytes, size_t count,
                              const struct dgm_bracket_options *options)
{
    struct dgm_writer writer;

    memset(reading, 0, sizeof *reading);
    memset(&writer, 0, sizeof writer);
    snprintf(reading->path, sizeof reading->path, "%s/p.mrg", test_dir());
    DGM_TRY(dgm_writer_open(test_env(), &writer, reading->path));
    dgm_writer_add(test_env(), &writer, bytes, count);
    DGM_TRY(dgm_writer_close(test_env(), &writer));
    return dgm_bracket_reader_open(test_env(), &reading->reader, reading->path, options);
}

static dgm_status begin(struct reading *reading, const char *text,
                        const struct dgm_bracket_options *options)
{
    return begin_bytes(reading, text, strlen(text), options);
}

static dgm_status next(struct reading *reading)
{
    return dgm_bracket_reader_next(test_env(), &reading->reader, &reading->tree, &reading->more);
}

static void end(struct reading *reading)
{
    dgm_bracket_reader_close(test_env(), &reading->reader);
    dgm_bracket_clear(test_env(), &reading->tree);
    dgm_env_clear_error(test_env());
}

static void refuses_with(const struct dgm_bracket_options *options, const char *text, long line,
                         long column, const char *message)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, text, options), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_STR(test_env()->error.message, message);
    CHECK_INT(test_env()->error.line, line);
    CHECK_INT(test_env()->error.column, column);
    CHECK_INT(reading.tree.word_count, 0);
    end(&reading);
}

static void refuses(const char *text, long column, const char *message)
{
    refuses_with(&strict, text, 1, column, message);
}

/* Spans, links and order agree with each other. */
static void check_tree(const struct dgm_bracket_tree *tree)
{
    int32_t i, child, word = 0;

    CHECK(tree->node_count >= 1 && tree->nodes[0].parent == -1);
    CHECK_STR(dgm_bracket_text(tree, 0), "TOP");
    CHECK_INT(tree->nodes[0].first_word, 0);
    CHECK_INT(tree->nodes[0].end_word, tree->word_count);
    for (i = 0; i < tree->node_count; i++) {
        const struct dgm_bracket_node *node = &tree->nodes[i];
        int32_t at = node->first_word;

        CHECK(node->parent < i);
        if (node->is_word) {
            CHECK_INT(tree->words[word], i);
            CHECK_INT(node->first_word, word);
            CHECK_INT(node->end_word, ++word);
            CHECK_INT(node->first_child, -1);
            continue;
        }
        CHECK(i == 0 || node->first_child == i + 1);
        for (child = node->first_child; child >= 0; child = tree->nodes[child].next_sibling) {
            CHECK_INT(tree->nodes[child].parent, i);
            CHECK_INT(tree->nodes[child].first_word, at);
            at = tree->nodes[child].end_word;
        }
        CHECK_INT(node->end_word, at);
    }
    CHECK_INT(word, tree->word_count);
}

/* What a tree is, written by the writer, without its LF. */
static void shows(const struct dgm_bracket_tree *tree, const char *want)
{
    struct dgm_buf got = { NULL, 0, 0, 0 };
    struct dgm_writer writer;
    char path[512];

    memset(&writer, 0, sizeof writer);
    snprintf(path, sizeof path, "%s/shown", test_dir());
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, path), DGM_OK);
    CHECK_STATUS(dgm_bracket_write(test_env(), &writer, tree), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
    CHECK_STATUS(dgm_file_read(test_env(), &got, path), DGM_OK);
    got.data[got.size - 1] = '\0';
    CHECK_STR(got.data, want);
    dgm_buf_clear(test_env(), &got);
}

static void reads_with(const struct dgm_bracket_options *options, const char *text,
                       const char *want)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, text, options), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 1);
    CHECK_INT(reading.tree.has_parse, 1);
    check_tree(&reading.tree);
    shows(&reading.tree, want);
    end(&reading);
}

static void reads(const char *text, const char *want)
{
    reads_with(&strict, text, want);
}

/* A lenient reader keeps these words, below the root, and no parse. */
static void keeps(const char *text, const char *want)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, text, &lenient), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 1);
    CHECK_INT(reading.tree.has_parse, 0);
    CHECK_INT(reading.reader.without_parse, 1);
    check_tree(&reading.tree);
    shows(&reading.tree, want);
    end(&reading);
}

/* ---- what is read ----------------------------------------------------------------- */

TEST(bracket_reads_labels_words_and_spans)
{
    struct reading reading;
    const struct dgm_bracket_tree *tree = &reading.tree;

    CHECK_STATUS(begin(&reading, "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))\n", NULL),
                 DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    check_tree(tree);
    CHECK_INT(tree->word_count, 4);
    CHECK_INT(tree->node_count, 12);
    CHECK_INT(tree->line, 1);
    CHECK_STR(dgm_bracket_text(tree, tree->words[1]), "dog");
    CHECK_STR(dgm_bracket_text(tree, tree->nodes[tree->words[1]].parent), "NN");
    CHECK_STR(dgm_bracket_text(tree, 2), "NP");
    CHECK_INT(tree->nodes[2].first_word, 0);
    CHECK_INT(tree->nodes[2].end_word, 2);
    CHECK_STR(dgm_bracket_text(tree, tree->nodes[2].next_sibling), "VP");
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 0);
    CHECK_INT(reading.reader.sentences, 1);
    end(&reading);
}

/* Row 51. */
TEST(bracket_outer_brackets_of_every_fashion_are_one_tree)
{
    static const char want[] = "(TOP (S (NP a) (VP b)))";

    reads("( (S (NP a) (VP b)) )\n", want);
    reads("((S (NP a) (VP b)))\n", want);
    reads("(ROOT (S (NP a) (VP b)))\n", want);
    reads("(TOP (S (NP a) (VP b)))\n", want);
    reads("(S1 (S (NP a) (VP b)))\n", want);
    reads("( (VROOT (S (NP a) (VP b)) ) )\n", want);
    reads("(S (NP a) (VP b))\n", want);
    reads("(TOP (NP a) (VP b))\n", "(TOP (NP a) (VP b))");
    reads("( (NP a) (VP b) )\n", "(TOP (NP a) (VP b))");
    reads("(TOP (NP a) (TOP b))\n", "(TOP (NP a) (TOP b))");
    reads("(TOP a)\n", "(TOP a)");
    reads("(S ((NP a)) (VP b))\n", want);
}

/* Row 53. */
TEST(bracket_escapes_stand_for_brackets)
{
    struct dgm_bracket_options raw = { .raw_words = 1 };
    struct reading reading;

    CHECK_STATUS(begin(&reading,
                       "(X (-LRB- -LRB-) (N :--RRB-) (N -LCB-x-RCB-) (N 1\\/2) "
                       "(N -lrb-) (N -) (N \\))\n",
                       NULL),
                 DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STR(dgm_bracket_text(&reading.tree, reading.tree.words[0]), "(");
    CHECK_STR(dgm_bracket_text(&reading.tree, 2), "-LRB-");
    CHECK_STR(dgm_bracket_text(&reading.tree, reading.tree.words[1]), ":-)");
    CHECK_STR(dgm_bracket_text(&reading.tree, reading.tree.words[2]), "{x}");
    CHECK_STR(dgm_bracket_text(&reading.tree, reading.tree.words[3]), "1/2");
    CHECK_STR(dgm_bracket_text(&reading.tree, reading.tree.words[4]), "-lrb-");
    CHECK_STR(dgm_bracket_text(&reading.tree, reading.tree.words[5]), "-");
    CHECK_STR(dgm_bracket_text(&reading.tree, reading.tree.words[6]), "\\");
    shows(&reading.tree, "(TOP (X (-LRB- -LRB-) (N :--RRB-) (N -LCB-x-RCB-) (N 1/2) "
                         "(N -lrb-) (N -) (N \\)))");
    end(&reading);
    CHECK_STATUS(begin(&reading, "(X (-LRB- -LRB-) (N 1\\/2))\n", &raw), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STR(dgm_bracket_text(&reading.tree, reading.tree.words[0]), "-LRB-");
    CHECK_STR(dgm_bracket_text(&reading.tree, reading.tree.words[1]), "1\\/2");
    end(&reading);
    reads("(X (N \\\\/))\n", "(TOP (X (N \\\\/)))");
    refuses("(X (-LRB- ()\n", 11,
            "empty brackets; expected a label and children (a bracket that is a word is "
            "written -LRB- or -RRB-) [E_PTB]");
    refuses("(X (-RRB- )))\n", 4,
            "label \"-RRB-\" without children; expected a word or brackets (a bracket that "
            "is a word is written -LRB- or -RRB-) [E_PTB]");
}

/* Row 54; the sentence is the annotation manual's way to mark an object moved. */
TEST(bracket_traces_go_and_so_do_brackets_left_empty)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading,
                       "( (S (WHNP-1 (WP what)) (S (NP-SBJ (PRP he)) (VP (VBD saw) (NP "
                       "(-NONE- *T*-1)) (SBAR (-NONE- 0) (S (-NONE- *?*)))))) )\n"
                       "(S (-NONE- *))\n",
                       NULL),
                 DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    check_tree(&reading.tree);
    shows(&reading.tree, "(TOP (S (WHNP-1 (WP what)) (S (NP-SBJ (PRP he)) (VP (VBD saw)))))");
    CHECK_INT(reading.tree.traces, 3);
    CHECK_INT(reading.reader.traces, 3);
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_STR(test_env()->error.message, "tree without words; expected at least one [E_PTB]");
    CHECK_INT(test_env()->error.line, 2);
    end(&reading);
    keeps("(S (-NONE- *))\n", "");
}

/* Row 55. */
TEST(bracket_function_tags_are_cut_on_request)
{
    static const char text[] = "(S (NP-SBJ-1 a) (NP=2 b) (-LRB- c) (PP-LOC=3 d) (= e) (- f))\n";

    reads(text, "(TOP (S (NP-SBJ-1 a) (NP=2 b) (-LRB- c) (PP-LOC=3 d) (= e) (- f)))");
    reads_with(&cutting, text, "(TOP (S (NP a) (NP b) (-LRB- c) (PP d) (= e) (- f)))");
}

/* Row 58. */
TEST(bracket_words_may_stand_beside_brackets)
{
    struct reading reading;

    reads("(NP the (N dog) there)\n", "(TOP (NP the (N dog) there))");
    CHECK_STATUS(begin(&reading, "(NP the (N dog))\n", NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STR(dgm_bracket_text(&reading.tree, reading.tree.nodes[reading.tree.words[0]].parent),
              "NP");
    end(&reading);
}

/* ---- modes ------------------------------------------------------------------------ */

/* Row 57. */
TEST(bracket_empty_lines_are_empty_sentences)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, "(S a)\n\n \t\r\n(S b)", NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.tree.word_count, 1);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 1);
    CHECK_INT(reading.tree.word_count, 0);
    CHECK_INT(reading.tree.has_parse, 0);
    check_tree(&reading.tree);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.tree.word_count, 0);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STR(dgm_bracket_text(&reading.tree, reading.tree.words[0]), "b");
    CHECK_INT(reading.tree.line, 4);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 0);
    end(&reading);
}

/* Row 56. */
TEST(bracket_free_mode_ignores_where_lines_end)
{
    static const char text[] = "\n( (S\n    (NP a)\n\n  (VP b)) )\n(S c) (S d\n)\n";
    static const char *const want[] = { "(TOP (S (NP a) (VP b)))", "(TOP (S c))", "(TOP (S d))" };
    struct reading reading;
    int i;

    CHECK_STATUS(begin(&reading, text, &freely), DGM_OK);
    for (i = 0; i < 3; i++) {
        CHECK_STATUS(next(&reading), DGM_OK);
        CHECK_INT(reading.more, 1);
        check_tree(&reading.tree);
        shows(&reading.tree, want[i]);
        CHECK_INT(reading.tree.line, i == 0 ? 2 : 6);
    }
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 0);
    end(&reading);
    refuses("(S (NP a)\n  (VP b))\n", 10,
            "1 bracket still open (opened at 1:1); expected \")\" "
            "(`convert trees --free` reads trees of "
            "many lines) [E_PTB]");
    refuses("(S a) (S b)\n", 7,
            "second tree in one line; expected one tree a line (`convert trees --free` "
            "reads many) "
            "[E_PTB]");
    keeps("(S a) (S b)\n", "(TOP a b)");
    keeps("(S (NP a)\n", "(TOP a)");
}

TEST(bracket_label_may_stand_on_the_next_line_in_free_mode)
{
    reads_with(&freely, "(\nS (\n\nNP a))\n", "(TOP (S (NP a)))");
}

/* ---- what is refused -------------------------------------------------------------- */

/* Row 48, with the numbers of the catalogue. */
TEST(bracket_names_the_brackets_that_are_still_open)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    int i;

    for (i = 1; i < 80; i++)
        CHECK_STATUS(dgm_buf_add_text(test_env(), &text, "(S a)\n"), DGM_OK);
    CHECK_STATUS(dgm_buf_add_text(test_env(), &text, "(S\n  (NP a\n"), DGM_OK);
    for (i = 82; i < 88; i++)
        CHECK_STATUS(dgm_buf_add_text(test_env(), &text, "    (N b)\n"), DGM_OK);
    {
        struct reading reading;

        CHECK_STATUS(begin(&reading, text.data, &freely), DGM_OK);
        for (i = 1; i < 80; i++)
            CHECK_STATUS(next(&reading), DGM_OK);
        CHECK_STATUS(next(&reading), DGM_DATA);
        CHECK_STR(test_env()->error.message,
                  "2 brackets still open (opened at 80:1, 81:3); expected \")\" [E_PTB]");
        CHECK_INT(test_env()->error.line, 88);
        CHECK_INT(test_env()->error.column, 1);
        end(&reading);
    }
    dgm_buf_clear(test_env(), &text);
    refuses("(A (B (C (D (E f\n", 17,
            "5 brackets still open (opened at 1:1, 1:4, 1:7, 1:10, ...); expected \")\" "
            "(`convert trees --free` reads trees of many lines) [E_PTB]");
}

/* Row 49. */
TEST(bracket_refuses_closing_brackets_too_many)
{
    refuses("(S (NP ä)))\n", 11, "\")\" without \"(\"; expected as many of both [E_PTB]");
    refuses(")\n", 1, "\")\" without \"(\"; expected as many of both [E_PTB]");
    keeps("(S (NP a))) b\n", "(TOP a b)");
    refuses("the dog\n", 1, "\"the\" outside brackets; expected \"(\" [E_PTB]");
    refuses("(S a) b\n", 7, "\"b\" outside brackets; expected \"(\" [E_PTB]");
    keeps("the dog\n", "(TOP the dog)");
}

/* Row 50. */
TEST(bracket_refuses_trees_and_labels_without_words)
{
    refuses("()\n", 1, "tree without words; expected at least one [E_PTB]");
    refuses("( ( ) )\n", 1, "tree without words; expected at least one [E_PTB]");
    keeps("()\n", "");
    keeps("(())\n", "");
    refuses("(S (NP) (VP a))\n", 4,
            "label \"NP\" without children; expected a word or brackets (a bracket that is a "
            "word is written -LRB- or -RRB-) [E_PTB]");
    keeps("(NP)\n", "");
    keeps("(S (NP) (VP a))\n", "(TOP a)");
    refuses("( () (S a))\n", 3, "empty brackets; expected a label and children [E_PTB]");
}

/* Row 52. */
TEST(bracket_refuses_four_megabytes_of_opening_brackets)
{
    size_t size = (size_t)4 << 20;
    struct reading reading;
    char *text = dgm_alloc(test_env(), size, 1);

    CHECK(text != NULL);
    memset(text, '(', size);
    CHECK_STATUS(begin_bytes(&reading, text, size, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_STR(test_env()->error.message,
              "brackets too deep; expected at most 1000 open at a time [E_LIMIT]");
    CHECK_INT(test_env()->error.column, 1001);
    end(&reading);
    CHECK_STATUS(begin_bytes(&reading, text, size, &lenient), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.tree.word_count, 0);
    end(&reading);
    dgm_release(test_env(), text);
}

/* Row 60. */
TEST(bracket_reads_a_unary_chain_of_500)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct dgm_bracket_options shallow = { .max_depth = 499 };
    struct reading reading;
    int i;

    for (i = 0; i < 500; i++)
        CHECK_STATUS(dgm_buf_add_text(test_env(), &text, "(X "), DGM_OK);
    CHECK_STATUS(dgm_buf_add_text(test_env(), &text, "x"), DGM_OK);
    for (i = 0; i < 500; i++)
        CHECK_STATUS(dgm_buf_add_text(test_env(), &text, ")"), DGM_OK);
    CHECK_STATUS(begin(&reading, text.data, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.tree.node_count, 502);
    check_tree(&reading.tree);
    end(&reading);
    CHECK_STATUS(begin(&reading, text.data, &shallow), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    end(&reading);
    dgm_buf_clear(test_env(), &text);
}

static const char *word_of(const void *tree, int32_t word)
{
    const struct dgm_bracket_tree *brackets = tree;

    return dgm_bracket_text(brackets, brackets->words[word]);
}

static dgm_status match(const struct dgm_bracket_tree *tree, const char *line)
{
    struct dgm_forms words = { .count = tree->word_count, .form = word_of, .of = tree };

    return dgm_forms_match(test_env(), NULL, &words, line, strlen(line), "t", 41);
}

/* Row 59. */
TEST(bracket_match_names_the_first_word_that_differs)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, "(NP the (N dog))\n", NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STATUS(match(&reading.tree, "the dog"), DGM_OK);
    CHECK_STATUS(match(&reading.tree, "the cat"), DGM_DATA);
    CHECK_STR(test_env()->error.message,
              "token 2 is \"cat\" in the line, \"dog\" in the tree; expected the same words "
              "[E_ALIGN]");
    CHECK_STR(test_env()->error.file, "t");
    dgm_env_clear_error(test_env());
    CHECK_STATUS(match(&reading.tree, "the"), DGM_DATA);
    CHECK_STR(test_env()->error.message,
              "tree has 2 words, source line 41 has 1; expected as many [E_ALIGN]");
    end(&reading);
}

TEST(bracket_refuses_or_repairs_what_is_not_text)
{
    static const char nul[] = "(S a\0b)\n";
    struct reading reading;

    refuses("(S ä\xFF)\n", 5, "invalid UTF-8 byte \\xFF; expected valid UTF-8 [E_UTF8]");
    CHECK_STATUS(begin_bytes(&reading, nul, sizeof nul - 1, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_STR(test_env()->error.message, "NUL byte; expected text [E_UTF8]");
    end(&reading);
    CHECK_STATUS(begin_bytes(&reading, nul, sizeof nul - 1, &lenient), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.tree.has_parse, 1);
    shows(&reading.tree, "(TOP (S a\xEF\xBF\xBD"
                         "b))");
    end(&reading);
}

TEST(bracket_splits_at_blanks_and_tabs_only)
{
    reads("\xEF\xBB\xBF(S\t(N a\xC2\xA0"
          "b))\r\n",
          "(TOP (S (N a\xC2\xA0"
          "b)))");
}

TEST(bracket_bounds_the_number_of_words)
{
    struct dgm_bracket_options few = { .max_words = 2 };
    struct reading reading;

    refuses_with(&few, "(S a b c)\n", 1, 8, "too many words; expected at most 2 [E_LIMIT]");
    few.lenient = 1;
    CHECK_STATUS(begin(&reading, "(S a b c)\n", &few), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.tree.has_parse, 0);
    CHECK_INT(reading.tree.word_count, 2);
    end(&reading);
}

TEST(bracket_goes_on_behind_a_faulty_tree)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, "(S (NP) b\n(S c)\n", NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(next(&reading), DGM_OK);
    shows(&reading.tree, "(TOP (S c))");
    end(&reading);
    CHECK_STATUS(begin(&reading, "(S (NP)\n  (VP b))\n(S c)\n", &freely), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(next(&reading), DGM_OK);
    shows(&reading.tree, "(TOP (S c))");
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 0);
    end(&reading);
}
