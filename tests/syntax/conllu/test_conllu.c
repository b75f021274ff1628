/* test_conllu.c: what the CoNLL-U reader accepts, refuses with which words, and writes
 * back. */
#include "base/file/file.h"
#include "base/file/writer.h"
#include "base/mem.h"
#include "syntax/conllu/conllu_reader.h"

#include "test.h"
#include "tree_check.h"

#include <stdio.h>
#include <string.h>

/* ---- helpers ---------------------------------------------------------------------- */

#define W(id, form, head) id "\t" form "\t_\t_\t_\t_\t" head "\tdep\t_\t_\n"
#define RANGE(id, form) id "\t" form "\t_\t_\t_\t_\t_\t_\t_\t_\n"

static const struct dgm_conllu_options lenient = { .lenient = 1 };

struct reading {
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    char path[512]; /* the reader borrows it */
    int more;
};

static dgm_status write_bytes(const char *path, const char *bytes, size_t count)
{
    struct dgm_writer writer;
    dgm_status status;

    memset(&writer, 0, sizeof writer);
    DGM_TRY(dgm_writer_open(test_env(), &writer, path));
    status = dgm_writer_add(test_env(), &writer, bytes, count);
    DGM_TRY(dgm_writer_close(test_env(), &writer));
    return status;
}

static dgm_status begin_bytes(struct reading *reading, const char *bytes, size_t count,
                              const struct dgm_conllu_options *options)
{
    memset(reading, 0, sizeof *reading);
    snprintf(reading->path, sizeof reading->path, "%s/t.conllu", test_dir());
    DGM_TRY(write_bytes(reading->path, bytes, count));
    return dgm_conllu_reader_open(test_env(), &reading->reader, reading->path, options);
}

static dgm_status begin(struct reading *reading, const char *text,
                        const struct dgm_conllu_options *options)
{
    return begin_bytes(reading, text, strlen(text), options);
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

/* Reads one sentence and expects this error at this place. */
static void refuses(const char *text, long line, long column, const char *message)
{
    struct reading reading;
    const dgm_error *error = &test_env()->error;

    CHECK_STATUS(begin(&reading, text, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_STR(error->message, message);
    CHECK_INT(error->line, line);
    CHECK_INT(error->column, column);
    CHECK_INT(reading.sentence.tree.count, 0);
    end(&reading);
}

/* A lenient reader keeps so many words of the first sentence, without a parse. */
static void keeps(const char *text, int32_t words)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, text, &lenient), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 1);
    CHECK_INT(reading.sentence.tree.count, words);
    CHECK_INT(reading.sentence.tree.has_parse, 0);
    CHECK_INT(reading.reader.without_parse, 1);
    if (words > 0)
        CHECK_INT(reading.sentence.tree.head[0], -1);
    end(&reading);
}

static void accepts(const char *text, int32_t words)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, text, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.sentence.tree.count, words);
    CHECK_INT(reading.sentence.tree.has_parse, 1);
    CHECK_STATUS(tree_validate(test_env(), &reading.sentence.tree), DGM_OK);
    end(&reading);
}

/* ---- what is read ----------------------------------------------------------------- */

static const char ordinary[] = "# sent_id = 1\n# text = Im Haus schläft er.\n"
                               "1-2\tIm\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "1\tin\tin\tADP\tAPPR\t_\t3\tcase\t_\t_\n"
                               "2\tdem\tder\tDET\tART\tCase=Dat|Gender=Neut\t3\tdet\t_\t_\n"
                               "3\tHaus\tHaus\tNOUN\tNN\tCase=Dat\t4\tobl\t4:obl:in\t_\n"
                               "4\tschläft\tschlafen\tVERB\tVVFIN\t_\t0\troot\t0:root\t_\n"
                               "4.1\tund\tund\tCCONJ\t_\t_\t_\t_\t4:cc\t_\n"
                               "5\ter\ter\tPRON\tPPER\t_\t4\tnsubj\t_\tSpaceAfter=No\n"
                               "6\t.\t.\tPUNCT\t$.\t_\t4\tpunct\t_\t_\n"
                               "\n";

TEST(conllu_reads_words_ranges_empty_nodes_and_comments)
{
    static const int32_t want[] = { 2, 2, 3, 3, 3, 3 };
    const struct dgm_conllu_sentence *s;
    struct reading reading;

    CHECK_STATUS(begin(&reading, ordinary, NULL), DGM_OK);
    s = &reading.sentence;
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 1);
    CHECK_INT(s->tree.count, 6);
    CHECK_MEM(s->tree.head, want, sizeof want);
    CHECK_INT(s->row_count, 8);
    CHECK_INT(s->comment_count, 2);
    CHECK_INT(s->line, 1);
    CHECK_INT(s->rows[0].kind, DGM_CONLLU_RANGE);
    CHECK_INT(s->rows[0].last, 2);
    CHECK_STR(s->bytes.data + s->rows[0].field[DGM_CONLLU_FORM], "Im");
    CHECK_INT(s->rows[5].kind, DGM_CONLLU_EMPTY);
    CHECK_STR(dgm_conllu_field(s, 3, DGM_CONLLU_FORM), "schläft");
    CHECK_STR(dgm_conllu_field(s, 4, DGM_CONLLU_DEPREL), "nsubj");
    CHECK_STR(dgm_conllu_field(s, 4, DGM_CONLLU_MISC), "SpaceAfter=No");
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 0);
    CHECK_INT(reading.reader.sentences, 1);
    end(&reading);
}

/* Reads `from` to its end and writes it to `to`. */
static void copy_treebank(const char *from, const char *to)
{
    struct dgm_env *env = test_env();
    struct dgm_writer writer;
    struct reading reading;

    memset(&reading, 0, sizeof reading);
    memset(&writer, 0, sizeof writer);
    CHECK_STATUS(dgm_conllu_reader_open(env, &reading.reader, from, NULL), DGM_OK);
    CHECK_STATUS(dgm_writer_open(env, &writer, to), DGM_OK);
    for (;;) {
        CHECK_STATUS(next(&reading), DGM_OK);
        if (!reading.more)
            break;
        CHECK_INT(reading.sentence.tree.has_parse, 1);
        CHECK_STATUS(dgm_conllu_write(env, &writer, &reading.sentence), DGM_OK);
    }
    CHECK_STATUS(dgm_writer_close(env, &writer), DGM_OK);
    end(&reading);
}

static void check_same_file(const char *a, const char *b)
{
    struct dgm_env *env = test_env();
    struct dgm_buf first = { NULL, 0, 0, 0 }, second = { NULL, 0, 0, 0 };

    CHECK_STATUS(dgm_file_read(env, &first, a), DGM_OK);
    CHECK_STATUS(dgm_file_read(env, &second, b), DGM_OK);
    CHECK_INT(second.size, first.size);
    CHECK_MEM(second.data, first.data, first.size);
    dgm_buf_clear(env, &first);
    dgm_buf_clear(env, &second);
}

static void check_round_trip(const char *path)
{
    char copy[512];

    snprintf(copy, sizeof copy, "%s/copy.conllu", test_dir());
    copy_treebank(path, copy);
    check_same_file(path, copy);
}

TEST(conllu_comes_back_byte_for_byte)
{
    char path[512];

    snprintf(path, sizeof path, "%s/t.conllu", test_dir());
    CHECK_STATUS(write_bytes(path, ordinary, sizeof ordinary - 1), DGM_OK);
    check_round_trip(path);
}

TEST(conllu_reads_published_treebanks_without_a_complaint)
{
    static const char *const names[] = { "data/pud/en.conllu", "data/pud/de.conllu",
                                         "data/ud/de_gsd/dev.conllu", "data/ud/en_ewt/dev.conllu" };
    char path[512];
    size_t i;

    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", test_shared(), names[i]);
        check_round_trip(path);
    }
}

/* ---- columns and bytes ------------------------------------------------------------ */

TEST(conllu_refuses_lines_that_are_not_ten_columns)
{
    refuses("1\ta\t_\t_\t_\t_\t0\troot\t_\n\n", 1, 1,
            "9 columns; expected 10 separated by tabs [E_COLS]");
    refuses(W("1", "a", "0") "2\ta\t_\t_\t_\t_\t1\tdep\t_\t_\t\n\n", 2, 1,
            "11 columns; expected 10 separated by tabs [E_COLS]");
    refuses("1 a _ _ _ _ 0 root _ _\n\n", 1, 1,
            "1 column (spaces instead of tabs?); expected 10 separated by tabs [E_COLS]");
    refuses("1\ta\ta\ta\tN\tN\t_\t_\t0\t0\tR\tR\t_\t_\n\n", 1, 1,
            "14 columns (CoNLL-2009?); expected 10 separated by tabs [E_COLS]");
    refuses("1\tä\t\t_\t_\t_\t0\troot\t_\t_\n\n", 1, 5,
            "empty LEMMA column; expected a value or _ [E_FIELD]");
    keeps("1\ta\t_\t_\t_\t_\t0\troot\t_\n\n", 1);
    keeps("a\n\n", 1);
    keeps("1\t\t\n\n", 1);
    keeps(W("1", "a", "0") "2\ta\t_\t_\t_\t_\t1\tdep\t_\t_\t\n\n", 2);
}

TEST(conllu_takes_the_whole_line_as_word_where_there_are_no_tabs)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, "ein Wort\n\n", &lenient), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STR(dgm_conllu_field(&reading.sentence, 0, DGM_CONLLU_FORM), "ein Wort");
    CHECK_STR(dgm_conllu_field(&reading.sentence, 0, DGM_CONLLU_DEPREL), "_");
    end(&reading);
}

TEST(conllu_refuses_or_repairs_what_is_not_text)
{
    static const char nul[] = "1\ta\0b\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
    struct reading reading;

    refuses("1\tä\xFF\t_\t_\t_\t_\t0\troot\t_\t_\n\n", 1, 4,
            "invalid UTF-8 byte \\xFF; expected valid UTF-8 [E_UTF8]");
    CHECK_STATUS(begin_bytes(&reading, nul, sizeof nul - 1, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_STR(test_env()->error.message, "NUL byte; expected text [E_UTF8]");
    end(&reading);
    CHECK_STATUS(begin_bytes(&reading, nul, sizeof nul - 1, &lenient), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STR(dgm_conllu_field(&reading.sentence, 0, DGM_CONLLU_FORM), "a\xEF\xBF\xBD"
                                                                       "b");
    CHECK_INT(reading.sentence.tree.has_parse, 1);
    end(&reading);
}

TEST(conllu_accepts_spaces_crlf_and_a_byte_order_mark)
{
    accepts("1\t1 000\t_\t_\t_\t_\t0\troot\t_\t_\n\n", 1);
    accepts("1\ta\xC2\xA0"
            "b\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
            1);
    accepts("\xEF\xBB\xBF"
            "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\r\n\r\n",
            1);
}

/* ---- identifiers ------------------------------------------------------------------ */

TEST(conllu_refuses_wrong_identifiers)
{
    static const char *const wrong[] = { "0", "-1", "1a", "01", "2", "99999999999", "x" };
    char text[200], message[200];
    size_t i;

    for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(text, sizeof text, "%s\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", wrong[i]);
        snprintf(message, sizeof message, "ID \"%s\"; expected 1 (next word) [E_ID]", wrong[i]);
        refuses(text, 1, 1, message);
        keeps(text, 1);
    }
    refuses(W("1", "a", "0") W("1", "b", "1") "\n", 2, 1,
            "ID \"1\"; expected 2 (next word) [E_ID]");
}

TEST(conllu_refuses_wrong_ranges)
{
    refuses(RANGE("2-1", "x") W("1", "a", "0") "\n", 1, 1,
            "ID \"2-1\"; expected a range 1-N before word 1, N above 1 [E_RANGE]");
    refuses(RANGE("1-1", "x") W("1", "a", "0") "\n", 1, 1,
            "ID \"1-1\"; expected a range 1-N before word 1, N above 1 [E_RANGE]");
    refuses(RANGE("1-3", "x") W("1", "a", "0") RANGE("2-4", "y") W("2", "b", "1") "\n", 3, 1,
            "ID \"2-4\"; expected no range inside the one that ends at 3 [E_RANGE]");
    refuses(RANGE("1-2", "x") W("1", "a", "0") RANGE("2-3", "y") W("2", "b", "1")
                W("3", "c", "1") "\n",
            3, 1, "ID \"2-3\"; expected no range inside the one that ends at 2 [E_RANGE]");
    refuses(W("1", "a", "0") W("2", "b", "1") RANGE("1-2", "x") "\n", 3, 1,
            "ID \"1-2\"; expected a range 3-N before word 3, N above 3 [E_RANGE]");
    refuses(RANGE("1-3", "x") W("1", "a", "0") W("2", "b", "1") "\n", 1, 1,
            "range up to word 3; expected one within the 2 words of the sentence [E_RANGE]");
    keeps(RANGE("2-1", "x") W("1", "a", "0") "\n", 1);
}

TEST(conllu_refuses_wrong_empty_nodes)
{
    accepts(RANGE("0.1", "e") W("1", "a", "0") RANGE("1.1", "f") RANGE("1.2", "g") "\n", 1);
    refuses(W("1", "a", "0") RANGE("1.2", "e") "\n", 2, 1,
            "ID \"1.2\"; expected 1.1 (next empty node) [E_NODE]");
    refuses(W("1", "a", "0") RANGE("2.1", "e") "\n", 2, 1,
            "ID \"2.1\"; expected 1.1 (next empty node) [E_NODE]");
    refuses(W("1", "a", "0") RANGE("1.1-2", "e") "\n", 2, 1,
            "ID \"1.1-2\"; expected 1.1 (next empty node) [E_NODE]");
}

/* ---- trees ------------------------------------------------------------------------ */

TEST(conllu_refuses_wrong_heads)
{
    refuses("1\ta\t_\t_\t_\t_\t_\troot\t_\t_\n\n", 1, 13, "HEAD \"_\"; HEAD must be 0..1 [E_HEAD]");
    refuses(W("1", "a", "-1") "\n", 1, 13, "HEAD \"-1\"; HEAD must be 0..1 [E_HEAD]");
    refuses(W("1", "a", "3.5") "\n", 1, 13, "HEAD \"3.5\"; HEAD must be 0..1 [E_HEAD]");
    refuses(W("1", "ä", "17") "\n", 1, 13,
            "HEAD 17 is outside this sentence; expected 0..1 [E_HEAD]");
    refuses(W("1", "a", "0") W("2", "b", "2") "\n", 2, 13,
            "HEAD of word 2 is the word itself; expected another word or 0 [E_HEAD]");
    keeps(W("1", "a", "17") "\n", 1);
    keeps(W("1", "a", "0") W("2", "b", "2") "\n", 2);
}

TEST(conllu_refuses_cycles_and_missing_roots)
{
    refuses(W("1", "a", "0") W("2", "b", "3") W("3", "c", "2") W("4", "d", "1") "\n", 2, 13,
            "cycle 2 -> 3 -> 2; expected a tree [E_CYCLE]");
    refuses(W("1", "a", "2") W("2", "b", "1") "\n", 1, 13,
            "no root; expected one word with HEAD 0 [E_ROOT]");
    keeps(W("1", "a", "0") W("2", "b", "3") W("3", "c", "2") "\n", 3);
}

TEST(conllu_treats_several_roots_as_the_policy_says)
{
    static const char text[] = W("1", "a", "2") W("2", "b", "0") W("3", "c", "0") "\n";
    static const int32_t attached[] = { 1, 1, 1 };
    static const int32_t kept[] = { 1, 1, 2 };
    struct dgm_conllu_options options = { .multi_root = DGM_MULTI_ROOT_ATTACH_FIRST };
    struct reading reading;

    refuses(text, 2, 13,
            "2 roots (words 2, 3); expected 1 (--multi-root=attach-first or keep accepts "
            "more) [E_ROOT]");
    keeps(text, 3);
    CHECK_STATUS(begin(&reading, text, &options), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_MEM(reading.sentence.tree.head, attached, sizeof attached);
    end(&reading);
    options.multi_root = DGM_MULTI_ROOT_KEEP;
    CHECK_STATUS(begin(&reading, text, &options), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_MEM(reading.sentence.tree.head, kept, sizeof kept);
    end(&reading);
}

TEST(conllu_accepts_crossing_arcs)
{
    accepts(W("1", "a", "3") W("2", "b", "4") W("3", "c", "0") W("4", "d", "3") "\n", 4);
}

TEST(conllu_accepts_sentences_without_heads_on_request)
{
    struct dgm_conllu_options options = { .allow_unparsed = 1 };
    struct reading reading;

    CHECK_STATUS(begin(&reading,
                       W("1", "a", "_") W("2", "b", "_") "\n" W("1", "a", "_")
                           W("2", "b", "0") "\n",
                       &options),
                 DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.sentence.tree.count, 2);
    CHECK_INT(reading.sentence.tree.has_parse, 0);
    CHECK_STATUS(next(&reading), DGM_DATA);
    end(&reading);
}

/* ---- blocks ----------------------------------------------------------------------- */

TEST(conllu_accepts_missing_and_additional_blank_lines)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, "\n\n" W("1", "a", "0") "\n\n" W("1", "b", "0"), NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.sentence.line, 3);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STR(dgm_conllu_field(&reading.sentence, 0, DGM_CONLLU_FORM), "b");
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 0);
    end(&reading);
}

TEST(conllu_reads_comment_blocks_as_empty_sentences_on_request)
{
    struct dgm_conllu_options options = { .allow_empty = 1 };
    struct reading reading;

    refuses("# nothing\n\n", 2, 1,
            "block without words; expected at least one word (--allow-empty accepts it as an "
            "empty sentence) [E_EMPTY]");
    keeps("# nothing\n\n", 0);
    CHECK_STATUS(begin(&reading, "# nothing\n\n" W("1", "a", "0") "\n", &options), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 1);
    CHECK_INT(reading.sentence.tree.count, 0);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.sentence.tree.count, 1);
    end(&reading);
}

TEST(conllu_refuses_comments_inside_a_sentence)
{
    refuses(W("1", "a", "0") "# late\n\n", 2, 1,
            "comment inside a sentence; expected comments before its first word [E_COMMENT]");
}

TEST(conllu_goes_on_behind_a_faulty_sentence)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading,
                       W("1", "a", "0") "bad\n" W("3", "c", "0") "\n" W("1", "b",
                                                                        "9") "\n" W("1", "c",
                                                                                    "0") "\n",
                       NULL),
                 DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_INT(test_env()->error.line, 5);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STR(dgm_conllu_field(&reading.sentence, 0, DGM_CONLLU_FORM), "c");
    end(&reading);
}

TEST(conllu_bounds_the_length_of_a_sentence)
{
    struct dgm_conllu_options options = { .max_words = 2 };
    struct reading reading;
    const char *text = W("1", "a", "0") W("2", "b", "1") W("3", "c", "1") "\n";

    CHECK_STATUS(begin(&reading, text, &options), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_STR(test_env()->error.message,
              "sentence too long; expected at most 2 words and 64 MiB [E_LIMIT]");
    CHECK_INT(test_env()->error.line, 3);
    end(&reading);
    options.lenient = 1;
    CHECK_STATUS(begin(&reading, text, &options), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.sentence.tree.count, 2);
    CHECK_INT(reading.sentence.tree.has_parse, 0);
    end(&reading);
}

TEST(conllu_reads_a_chain_of_100000_words)
{
    struct dgm_env *env = test_env();
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct reading reading;
    int i;

    for (i = 1; i <= 100000; i++)
        CHECK_STATUS(dgm_buf_add_format(env, &text, "%d\tw\t_\t_\t_\t_\t%d\tdep\t_\t_\n", i, i - 1),
                     DGM_OK);
    CHECK_STATUS(dgm_buf_add_text(env, &text, "\n"), DGM_OK);
    CHECK_STATUS(begin_bytes(&reading, text.data, text.size, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.sentence.tree.count, 100000);
    CHECK_INT(reading.sentence.tree.head[99999], 99998);
    end(&reading);
    dgm_buf_clear(env, &text);
}

/* ---- strict checks ---------------------------------------------------------------- */

/* The first sentences of the built-in treebank, as the generator writes them. */
TEST(conllu_strict_reader_accepts_the_built_in_treebank)
{
    static const char *const names[] = { "corpora.en.conllu", "corpora.de.conllu" };
    struct dgm_conllu_options options = { .strict = 1 };
    char path[512];
    int i;

    for (i = 0; i < 2; i++) {
        struct reading reading;

        snprintf(path, sizeof path, "%s/tests/golden/%s", test_source_dir(), names[i]);
        memset(&reading, 0, sizeof reading);
        CHECK_STATUS(dgm_conllu_reader_open(test_env(), &reading.reader, path, &options), DGM_OK);
        for (;;) {
            CHECK_STATUS(next(&reading), DGM_OK);
            if (!reading.more)
                break;
            CHECK_INT(reading.sentence.tree.has_parse, 1);
        }
        CHECK_INT(reading.reader.sentences, 12);
        end(&reading);
    }
}
