/*
 * test_conllu_catalogue.c: rows 21 to 47 of the catalogue of bad inputs
 * (design/reliability.md, section 5) that test_conllu.c leaves open: what is accepted
 * with a warning, and the rest of the faults in words. Each test names its rows.
 */
#include "base/file/writer.h"
#include "syntax/conllu/conllu_reader.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

#define W(id, form, head) id "\t" form "\t_\t_\t_\t_\t" head "\tdep\t_\t_\n"

struct reading {
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    char path[512];
    int more;
    char logged[2000];
};

/* Keeps what is logged behind the path, one message a line. */
static void note(void *user, dgm_level level, const char *message)
{
    struct reading *reading = user;
    size_t used = strlen(reading->logged), path = strlen(reading->path);

    if (strncmp(message, reading->path, path) == 0)
        message += path;
    snprintf(reading->logged + used, sizeof reading->logged - used, "%s%s\n",
             level == DGM_LOG_WARNING ? "" : "?", message);
}

static dgm_status begin(struct reading *reading, const char *bytes, size_t count,
                        const struct dgm_conllu_options *options)
{
    struct dgm_writer writer;

    memset(reading, 0, sizeof *reading);
    memset(&writer, 0, sizeof writer);
    snprintf(reading->path, sizeof reading->path, "%s/t.conllu", test_dir());
    DGM_TRY(dgm_writer_open(test_env(), &writer, reading->path));
    dgm_writer_add(test_env(), &writer, bytes, count);
    DGM_TRY(dgm_writer_close(test_env(), &writer));
    test_env()->log = note;
    test_env()->log_user = reading;
    test_env()->log_level = DGM_LOG_WARNING;
    return dgm_conllu_reader_open(test_env(), &reading->reader, reading->path, options);
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
    test_env()->log = NULL;
}

static void refuses(const char *text, long line, long column, const char *message)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, text, strlen(text), NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_STR(test_env()->error.message, message);
    CHECK_INT(test_env()->error.line, line);
    CHECK_INT(test_env()->error.column, column);
    end(&reading);
}

/* Reads the whole text, so many sentences, and expects these warnings. */
static void warns(const char *text, const struct dgm_conllu_options *options, long sentences,
                  long without_parse, const char *warnings)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, text, strlen(text), options), DGM_OK);
    do
        CHECK_STATUS(next(&reading), DGM_OK);
    while (reading.more);
    CHECK_INT(reading.reader.sentences, sentences);
    CHECK_INT(reading.reader.without_parse, without_parse);
    CHECK_STR(reading.logged, warnings);
    end(&reading);
}

TEST(conllu_rows_23_to_26_name_identifiers_and_heads)
{
    refuses(W("1", "a", "0") W("2", "b", "1") W("3", "c", "1") W("6", "d", "1") "\n", 4, 1,
            "ID \"6\"; expected 4 (next word) [E_ID]");
    refuses(W("1", "a", "x") "\n", 1, 13, "HEAD \"x\"; HEAD must be 0..1 [E_HEAD]");
    refuses(W("1", "a", "00") "\n", 1, 13, "HEAD \"00\"; HEAD must be 0..1 [E_HEAD]");
    refuses(W("1", "a", "99999999999") "\n", 1, 13,
            "HEAD \"99999999999\"; HEAD must be 0..1 [E_HEAD]");
    refuses(W("1", "a", "") "\n", 1, 13, "empty HEAD column; expected a value or _ [E_FIELD]");
    refuses(W("1", "", "0") "\n", 1, 3, "empty FORM column; expected a value or _ [E_FIELD]");
    refuses(W("1", "a", "0") W("2", "b", "1") W("3", "c", "1") W("4", "d", "17") W("5", "e", "1")
                W("6", "f", "1") W("7", "g", "1") W("8", "h", "1") W("9", "i", "1") "\n",
            4, 13, "HEAD 17 is outside this sentence; expected 0..9 [E_HEAD]");
}

TEST(conllu_rows_28_to_30_list_cycles_and_roots)
{
    refuses(W("1", "a", "0") W("2", "b", "1") W("3", "c", "4") W("4", "d", "5")
                W("5", "e", "3") "\n",
            3, 13, "cycle 3 -> 4 -> 5 -> 3; expected a tree [E_CYCLE]");
    refuses(W("1", "a", "0") W("2", "b", "0") W("3", "c", "0") W("4", "d", "0") W("5", "e", "0")
                W("6", "f", "0") W("7", "g", "0") W("8", "h", "0") W("9", "i", "0") "\n",
            1, 13,
            "9 roots (words 1, 2, 3, 4, 5, 6, 7, 8, ...); expected 1 "
            "(--multi-root=attach-first or keep accepts more) [E_ROOT]");
}

TEST(conllu_rows_31_and_33_keep_ranges_and_empty_nodes_out_of_the_tree)
{
    static const char text[] =
        "0.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1-2\tzum\t_\t_\t_\tTypo=Yes\t_\t_\t_\tSpaceAfter=No\n" W("1", "zu", "0")
            W("2", "dem", "1") "\n";
    struct reading reading;

    CHECK_STATUS(begin(&reading, text, sizeof text - 1, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.sentence.tree.count, 2);
    CHECK_INT(reading.sentence.row_count, 4);
    CHECK_INT(reading.sentence.rows[1].kind, DGM_CONLLU_RANGE);
    CHECK_INT(reading.sentence.rows[1].first, 1);
    CHECK_INT(reading.sentence.rows[1].last, 2);
    CHECK_STR(reading.sentence.bytes.data + reading.sentence.rows[1].field[DGM_CONLLU_FORM], "zum");
    CHECK_STR(reading.logged, "");
    end(&reading);
}

TEST(conllu_row_34_refuses_empty_nodes_out_of_order)
{
    refuses(W("1", "a", "0") "1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n"
                             "1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
            3, 1, "ID \"1.1\"; expected 1.2 (next empty node) [E_NODE]");
    refuses("0.2\te\t_\t_\t_\t_\t_\t_\t_\t_\n" W("1", "a", "0") "\n", 1, 1,
            "ID \"0.2\"; expected 0.1 (next empty node) [E_NODE]");
    refuses("1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n" W("1", "a", "0") "\n", 1, 1,
            "ID \"1.1\"; expected 0.1 (next empty node) [E_NODE]");
}

TEST(conllu_row_35_minds_no_labels_unless_strict)
{
    warns("1\ta\t_\tnoun\t_\tB|A=1|A=2\t0\tnonsense\t1:\t_\n\n", NULL, 1, 0, "");
}

TEST(conllu_row_37_warns_where_the_last_blank_line_is_missing)
{
    static const char want[] = ":1: end of file inside a sentence; expected a blank line "
                               "after the last one [W_END] (reported once)\n";

    warns(W("1", "a", "0"), NULL, 1, 0, want);
    warns("1\ta\t_\t_\t_\t_\t0\troot\t_\t_", NULL, 1, 0, want);
}

TEST(conllu_row_38_warns_once_of_additional_blank_lines)
{
    struct dgm_conllu_options allowing = { .allow_empty = 1 };
    static const char want[] = ":1: blank line without a sentence before it; expected one "
                               "after each sentence [W_BLANK] (reported once)\n";

    warns("\n" W("1", "a", "0") "\n\n\n" W("1", "b", "0") "\n\n", NULL, 2, 0, want);
    warns("\n\n", NULL, 0, 0, want);
    warns("# a\n\n# b\n\n" W("1", "a", "0") "\n", &allowing, 3, 2, "");
}

TEST(conllu_rows_21_and_38_take_a_line_of_blanks_for_columns_unless_lenient)
{
    struct dgm_conllu_options lenient = { .lenient = 1 };

    refuses(W("1", "a", "0") " \t\n", 2, 1, "line of blanks; expected an empty line [E_COLS]");
    warns(W("1", "a", "0") " \t\n" W("1", "b", "0") "\n", &lenient, 2, 0,
          ":2: line of blanks; expected an empty line [W_BLANK] (reported once)\n");
}

TEST(conllu_lenient_takes_a_line_of_blanks_for_no_sentence)
{
    struct dgm_conllu_options lenient = { .lenient = 1, .allow_empty = 1, .allow_unparsed = 1 };
    static const char want[] = ":2: line of blanks; expected an empty line [W_BLANK] "
                               "(reported once)\n";

    warns("# c\n \t\n" W("1", "a", "0") "\n", &lenient, 1, 0, want);
    warns("# c\n \n# d\n  \n" W("1", "a", "0") "\n" W("1", "b", "0") "\n", &lenient, 2, 0, want);
    warns("# c\n \n\n" W("1", "a", "0") "\n", &lenient, 2, 1, want);
}

TEST(conllu_lenient_goes_on_behind_a_line_of_blanks_inside_a_sentence)
{
    struct dgm_conllu_options lenient = { .lenient = 1, .allow_empty = 1, .allow_unparsed = 1 };
    static const char ends[] = ":2: line of blanks; expected an empty line [W_BLANK] "
                               "(reported once)\n";
    static const char inside[] =
        ":2: line of blanks; expected an empty line [W_BLANK] (reported once)\n"
        ":2: line of blanks inside a sentence; expected one after its last word [E_COLS]; the "
        "sentence goes on without a parse (reported once)\n";

    warns(W("1", "a", "0") " \n" W("2", "b", "1") "\n" W("1", "c", "0") "\n", &lenient, 2, 1,
          inside);
    warns(W("1", "a", "0") " \n \n" W("1", "b", "0") "\n", &lenient, 2, 0, ends);
    warns(W("1", "a", "0") " \n\n" W("1", "b", "0") "\n", &lenient, 2, 0, ends);
    warns(W("1", "a", "0") " \n# d\n" W("1", "b", "0") "\n", &lenient, 2, 0, ends);
    warns(W("1", "a", "0") " \n1-2\tbc\t_\t_\t_\t_\t_\t_\t_\t_\n" W("1", "b", "0")
              W("2", "c", "1") "\n",
          &lenient, 2, 0, ends);
    warns(W("1", "a", "0") " \n", &lenient, 1, 0, ends);
}

TEST(conllu_row_40_keeps_trailing_blanks_and_counts_trailing_tabs)
{
    struct reading reading;
    static const char text[] = "1\ta \t_\t_\t_\t_\t0\troot\t_\t_ \r\n\r\n";

    CHECK_STATUS(begin(&reading, text, sizeof text - 1, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STR(dgm_conllu_field(&reading.sentence, 0, DGM_CONLLU_FORM), "a ");
    CHECK_STR(dgm_conllu_field(&reading.sentence, 0, DGM_CONLLU_MISC), "_ ");
    end(&reading);
    refuses("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\t\n\n", 1, 1,
            "11 columns; expected 10 separated by tabs [E_COLS]");
}

TEST(conllu_row_42_minds_no_text_unless_strict)
{
    warns("# text = a c\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n", NULL,
          1, 0, "");
}

TEST(conllu_row_43_refuses_more_than_100000_words)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct reading reading;
    int i;

    for (i = 1; i <= 100001; i++)
        CHECK_STATUS(dgm_buf_add_format(test_env(), &text, "%d\tw\t_\t_\t_\t_\t%d\tdep\t_\t_\n", i,
                                        i - 1),
                     DGM_OK);
    CHECK_STATUS(begin(&reading, text.data, text.size, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_STR(test_env()->error.message,
              "sentence too long; expected at most 100000 words and 64 MiB [E_LIMIT]");
    CHECK_INT(test_env()->error.line, 100001);
    end(&reading);
    dgm_buf_clear(test_env(), &text);
}

TEST(conllu_row_43_refuses_lines_of_more_than_a_mebibyte)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct reading reading;
    int i;

    CHECK_STATUS(dgm_buf_add_text(test_env(), &text, "1\t"), DGM_OK);
    for (i = 0; i < 1 << 17; i++)
        CHECK_STATUS(dgm_buf_add_text(test_env(), &text, "abcdefgh"), DGM_OK);
    CHECK_STATUS(dgm_buf_add_text(test_env(), &text, "\t_\t_\t_\t_\t0\troot\t_\t_\n\n"), DGM_OK);
    CHECK_STATUS(begin(&reading, text.data, text.size, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_STR(test_env()->error.message,
              "line of more than 1 MiB; expected one word a line [E_LIMIT]");
    end(&reading);
    dgm_buf_clear(test_env(), &text);
}

TEST(conllu_row_47_names_a_file_of_2009)
{
    refuses("1\ta\ta\ta\tN\tN\t_\t_\t0\t0\tR\tR\t_\t_\n\n", 1, 1,
            "14 columns (CoNLL-2009?); expected 10 separated by tabs [E_COLS]");
}

/* Lenient reading loses no sentence, whatever is wrong with it, and says each kind of
 * fault once. */
TEST(conllu_rows_21_to_47_cost_a_lenient_reader_no_sentence)
{
    struct dgm_conllu_options lenient = { .lenient = 1 };
    static const char effect[] = "; the sentence goes on without a parse (reported once)\n";
    char want[2000];

    snprintf(want, sizeof want,
             ":1: 2 columns; expected 10 separated by tabs [E_COLS]%s"
             ":3: HEAD 7 is outside this sentence; expected 0..1 [E_HEAD]%s"
             ":6: cycle 2 -> 3 -> 2; expected a tree [E_CYCLE]%s"
             ":9: ID \"2\"; expected 1 (next word) [E_ID]%s"
             ":14: comment inside a sentence; expected comments before its first word "
             "[E_COMMENT] (reported once)\n",
             effect, effect, effect, effect);
    warns("1\ta\n\n" W("1", "a", "7") "\n" W("1", "a", "0") W("2", "b", "3")
              W("3", "c", "2") "\n" W("2", "a", "0") "\n" W("1", "a", "9") "\n" W("1", "a",
                                                                                  "0") "# late\n\n",
          &lenient, 6, 5, want);
}
