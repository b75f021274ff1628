/* test_conllx.c: CoNLL-X and CoNLL-U are one sentence in two dresses. */
#include "base/file/file.h"
#include "base/file/writer.h"
#include "syntax/conllu/conllx.h"

#include "test.h"
#include "treebank_copy.h"

#include <stdio.h>
#include <string.h>

static const struct dgm_conllu_options lenient = { .lenient = 1 };

struct reading {
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    int more;
};

static const char *path_of(const char *name)
{
    static char path[2][512];
    static int turn;

    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", test_dir(), name);
    return path[turn];
}

static void put(const char *name, const char *text)
{
    struct dgm_writer writer;

    memset(&writer, 0, sizeof writer);
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, path_of(name)), DGM_OK);
    CHECK_STATUS(dgm_writer_add(test_env(), &writer, text, strlen(text)), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
}

static dgm_status begin(struct reading *reading, const char *text,
                        const struct dgm_conllu_options *options)
{
    static char path[512];
    struct dgm_conllu_options conllx = { .format = DGM_CONLLU_X };

    if (options != NULL)
        conllx = *options;
    conllx.format = DGM_CONLLU_X;
    memset(reading, 0, sizeof *reading);
    put("t.conllx", text);
    snprintf(path, sizeof path, "%s/t.conllx", test_dir());
    return dgm_conllu_reader_open(test_env(), &reading->reader, path, &conllx);
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

static void holds(const char *name, const char *want)
{
    struct dgm_buf got = { NULL, 0, 0, 0 };

    CHECK_STATUS(dgm_file_read(test_env(), &got, path_of(name)), DGM_OK);
    CHECK_STR(got.data == NULL ? "" : got.data, want);
    dgm_buf_clear(test_env(), &got);
}

static void refuses(const char *text, long line, long column, const char *message)
{
    struct reading reading;

    CHECK_STATUS(begin(&reading, text, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_DATA);
    CHECK_STR(test_env()->error.message, message);
    CHECK_INT(test_env()->error.line, line);
    CHECK_INT(test_env()->error.column, column);
    end(&reading);
}

static const char ordinary[] = "1\tCathy\tCathy\tN\tN\teigen|ev|neut\t2\tsu\t2\tsu\n"
                               "2\tzag\tzie\tV\tV\ttrans|ovt|1of2of3|ev\t0\tROOT\t0\tROOT\n"
                               "3\then\then\tPron\tPron\tper|3|mv|datofacc\t2\tobj1\t_\t_\n"
                               "4\t#\t#\tPunc\tPunc\tpunt\t2\tpunct\t_\tpunct\n"
                               "\n"
                               "1\tJa\t_\t_\t_\t_\t0\tROOT\t_\t_\n"
                               "\n";

TEST(conllx_comes_back_byte_for_byte)
{
    static const int32_t want[] = { 1, 1, 1, 1 };
    struct dgm_writer writer;
    struct reading reading;

    memset(&writer, 0, sizeof writer);
    CHECK_STATUS(begin(&reading, ordinary, NULL), DGM_OK);
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, path_of("copy")), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.sentence.tree.count, 4);
    CHECK_MEM(reading.sentence.tree.head, want, sizeof want);
    CHECK_STR(dgm_conllu_field(&reading.sentence, 0, DGM_CONLLU_DEPS), "_");
    CHECK_STR(dgm_conllu_field(&reading.sentence, 0, DGM_CONLLU_MISC), "PHEAD=2|PDEPREL=su");
    CHECK_STR(dgm_conllu_field(&reading.sentence, 2, DGM_CONLLU_MISC), "_");
    CHECK_STR(dgm_conllu_field(&reading.sentence, 3, DGM_CONLLU_MISC), "PDEPREL=punct");
    CHECK_STATUS(dgm_conllx_write(test_env(), &writer, &reading.sentence), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STATUS(dgm_conllx_write(test_env(), &writer, &reading.sentence), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.more, 0);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
    end(&reading);
    holds("copy", ordinary);
}

TEST(conllx_written_as_conllu_is_read_by_the_strict_reader_of_deps)
{
    struct dgm_writer writer;
    struct reading reading;

    memset(&writer, 0, sizeof writer);
    CHECK_STATUS(begin(&reading, "1\ta\t_\tN\tNN\t_\t0\troot\t0\troot\n\n", NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, path_of("u")), DGM_OK);
    CHECK_STATUS(dgm_conllu_write(test_env(), &writer, &reading.sentence), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
    end(&reading);
    holds("u", "1\ta\t_\tN\tNN\t_\t0\troot\t_\tPHEAD=0|PDEPREL=root\n\n");
}

TEST(conllx_of_a_conllu_sentence_keeps_the_words_only)
{
    struct dgm_writer writer;
    struct reading reading;
    char path[512];

    put("t.conllu", "# text = im 1 000\n1-2\tim\t_\t_\t_\t_\t_\t_\t_\t_\n"
                    "1\tin\tin\tADP\tAPPR\t_\t3\tcase\t3:case\tA=1|PDEPREL=x|B=2\n"
                    "2\tdem\tder\tDET\tART\tCase=Dat\t3\tdet\t_\t_\n"
                    "2.1\te\t_\t_\t_\t_\t_\t_\t1:x\t_\n"
                    "3\t1 000\t1 000\tNUM\tCARD\t_\t0\troot\t0:root\tSpaceAfter=No\n\n");
    memset(&reading, 0, sizeof reading);
    memset(&writer, 0, sizeof writer);
    snprintf(path, sizeof path, "%s/t.conllu", test_dir());
    CHECK_STATUS(dgm_conllu_reader_open(test_env(), &reading.reader, path, NULL), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, path_of("x")), DGM_OK);
    CHECK_STATUS(dgm_conllx_write(test_env(), &writer, &reading.sentence), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
    end(&reading);
    holds("x", "1\tin\tin\tADP\tAPPR\t_\t3\tcase\t_\tx\n"
               "2\tdem\tder\tDET\tART\tCase=Dat\t3\tdet\t_\t_\n"
               "3\t1_000\t1_000\tNUM\tCARD\t_\t0\troot\t_\t_\n\n");
}

TEST(conllx_has_neither_comments_nor_ranges_nor_empty_nodes)
{
    refuses("# x\n1\ta\t_\t_\t_\t_\t0\tr\t_\t_\n\n", 1, 1,
            "1 column; expected 10 separated by tabs [E_COLS]");
    refuses("1-2\ta\t_\t_\t_\t_\t0\tr\t_\t_\n\n", 1, 1,
            "ID \"1-2\"; expected 1 (next word) [E_ID]");
    refuses("0.1\ta\t_\t_\t_\t_\t0\tr\t_\t_\n\n", 1, 1,
            "ID \"0.1\"; expected 1 (next word) [E_ID]");
}

TEST(conllx_checks_the_projective_head)
{
    struct reading reading;

    refuses("1\ta\t_\t_\t_\t_\t0\tr\t2\t_\n\n", 1, 17,
            "PHEAD \"2\"; expected _ or another word, 0..1 [E_PHEAD]");
    refuses("1\ta\t_\t_\t_\t_\t0\tr\t1\t_\n\n", 1, 17,
            "PHEAD \"1\"; expected _ or another word, 0..1 [E_PHEAD]");
    refuses("1\ta\t_\t_\t_\t_\t0\tr\t123456789012345\t_\n\n", 1, 17,
            "PHEAD \"123456789012345\"; expected _ or another word, 0..1 [E_PHEAD]");
    refuses("1\ta\t_\t_\t_\t_\t0\tr\t_\ta|b\n\n", 1, 19,
            "PDEPREL \"a|b\"; expected a label without \"|\" [E_PHEAD]");
    refuses("1\ta\t_\t_\t_\t_\t0\tr\t_\tb\r\r\n\n", 1, 19,
            "PDEPREL \"b\\x0D\"; expected a label without CR at its end [E_PHEAD]");
    CHECK_STATUS(begin(&reading, "1\ta\t_\t_\t_\t_\t0\tr\tx\ta|b\n\n", &lenient), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(reading.sentence.tree.has_parse, 1);
    CHECK_STR(dgm_conllu_field(&reading.sentence, 0, DGM_CONLLU_MISC), "_");
    end(&reading);
}

TEST(conllx_reads_several_roots_as_the_policy_says)
{
    static const char text[] = "1\ta\t_\t_\t_\t_\t0\tr\t_\t_\n2\tb\t_\t_\t_\t_\t0\tr\t_\t_\n\n";
    struct dgm_conllu_options options = { .multi_root = DGM_MULTI_ROOT_KEEP, .strict = 1 };
    struct reading reading;

    refuses(text, 1, 13,
            "2 roots (words 1, 2); expected 1 (--multi-root=attach-first or keep accepts "
            "more) [E_ROOT]");
    CHECK_STATUS(begin(&reading, text, &options), DGM_OK);
    CHECK_STATUS(next(&reading), DGM_OK);
    CHECK_INT(dgm_tree_root_count(&reading.sentence.tree), 2);
    end(&reading);
}

/* Every published tree survives CoNLL-U -> CoNLL-X -> CoNLL-U in its first eight
 * columns (blanks aside). */
TEST(conllx_keeps_the_trees_of_a_published_treebank)
{
    static const struct treebank_format format = { DGM_CONLLU_X, dgm_conllx_write };

    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    treebank_survives(&format, "de_gsd/dev.conllu");
}
