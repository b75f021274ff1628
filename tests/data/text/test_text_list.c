/*
 * test_text_list.c: lists of texts, and the lines of a text with a tab between its sides.
 */
#include "data/text/text_list.h"

#include <stdio.h>
#include <string.h>

#include "data/text/pairs_reader.h"
#include "test.h"

static const char *put(char path[1200], const char *name, const char *text, size_t bytes)
{
    FILE *file;

    snprintf(path, 1200, "%s/%s", test_dir(), name);
    file = fopen(path, "wb");
    if (file != NULL) {
        fwrite(text, 1, bytes, file);
        fclose(file);
    }
    return path;
}

static dgm_status read_list(struct dgm_text_list *texts, const char *text, size_t bytes, int is_tsv)
{
    char path[1200];

    memset(texts, 0, sizeof *texts);
    return dgm_text_list_read(test_env(), texts, put(path, "list", text, bytes), is_tsv);
}

TEST(text_list_reads_files_weights_and_tags)
{
    static const char text[] = "\xEF\xBB\xBF# one\r\na\tb\r\n\n \t\nc d\te\t2.5\nf\tg\t-\t<x>";
    struct dgm_text_list texts;

    CHECK_STATUS(read_list(&texts, text, strlen(text), 0), DGM_OK);
    CHECK_INT(texts.count, 3);
    CHECK_STR(texts.items[0].path[DGM_SOURCE], "a");
    CHECK_STR(texts.items[0].path[DGM_TARGET], "b");
    CHECK(texts.items[0].weight == 0 && texts.items[0].tag == NULL);
    CHECK_STR(texts.items[1].path[DGM_SOURCE], "c d");
    CHECK(texts.items[1].weight == 2.5);
    CHECK_STR(texts.items[2].tag, "<x>");
    dgm_text_list_clear(test_env(), &texts);
    CHECK_STATUS(read_list(&texts, "a\t3\nb\t-\t<y>\n", 12, 1), DGM_OK);
    CHECK_INT(texts.count, 2);
    CHECK(texts.items[0].path[DGM_TARGET] == NULL && texts.items[0].weight == 3);
    CHECK_STR(texts.items[1].tag, "<y>");
    dgm_text_list_clear(test_env(), &texts);
}

static void check_refused(const char *text, size_t bytes, const char *part)
{
    struct dgm_text_list texts;

    CHECK_STATUS(read_list(&texts, text, bytes, 0), DGM_DATA);
    if (strstr(test_env()->error.message, part) == NULL)
        CHECK_STR(test_env()->error.message, part);
    dgm_env_clear_error(test_env());
    dgm_text_list_clear(test_env(), &texts);
}

TEST(text_list_names_file_and_line_of_what_is_wrong)
{
    check_refused("", 0, "no texts");
    check_refused("#\n\n", 3, "no texts");
    check_refused("a\tb\nc\n", 6, "two files");
    check_refused("a\t\n", 3, "two files");
    check_refused("a\tb\t1\t<x>\ty\n", 12, "two files");
    check_refused("a\tb\tnan\n", 8, "weight");
    check_refused("a\tb\t0\n", 6, "weight");
    check_refused("-\tb\n", 4, "standard input");
    check_refused("a\tb\0\n", 5, "NUL");
    check_refused("a\t\xC3\n", 4, "UTF-8");
}

/* ---- both sides in a file -------------------------------------------------------------------- */

/* Reads all pairs as "source|target;" of what is not bad. */
static dgm_status read_tsv(const char *text, enum dgm_bad_line on_bad, char out[200])
{
    char path[1200];
    const struct dgm_text one = { .path = { put(path, "tsv", text, strlen(text)), NULL } };
    struct dgm_pairs_reader pairs;
    dgm_status status = dgm_pairs_reader_open(test_env(), &pairs, &one, on_bad);
    int more = 1;

    out[0] = '\0';
    while (status == DGM_OK) {
        status = dgm_pairs_reader_next(test_env(), &pairs, &more);
        if (status != DGM_OK || !more)
            break;
        if (!pairs.is_bad)
            snprintf(out + strlen(out), 200 - strlen(out), "%.*s|%.*s;", (int)pairs.line[0]->size,
                     pairs.line[0]->size > 0 ? pairs.line[0]->data : "", (int)pairs.line[1]->size,
                     pairs.line[1]->size > 0 ? pairs.line[1]->data : "");
    }
    dgm_pairs_reader_close(test_env(), &pairs);
    return status;
}

TEST(pairs_reader_cuts_a_line_at_its_tab)
{
    char out[200];

    CHECK_STATUS(read_tsv("a b\tc\n\t\nd\t\r\n\te", DGM_BAD_LINE_ERROR, out), DGM_OK);
    CHECK_STR(out, "a b|c;|;d|;|e;");
    CHECK_STATUS(read_tsv("a\tb\nc\n\nd\te\tf\ng\th\n", DGM_BAD_LINE_SKIP, out), DGM_OK);
    CHECK_STR(out, "a|b;g|h;");
    CHECK_STATUS(read_tsv("a\tb\nc\n", DGM_BAD_LINE_REPLACE, out), DGM_OK);
    CHECK_STR(out, "a|b;");
    CHECK_STATUS(read_tsv("a\tb\nc\n", DGM_BAD_LINE_ERROR, out), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "no tab") != NULL);
    CHECK_INT(test_env()->error.line, 2);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(read_tsv("a\tb\tc\n", DGM_BAD_LINE_ERROR, out), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "more than one tab") != NULL);
    dgm_env_clear_error(test_env());
}
