/* test_csv.c: fields and records of comma-separated values, and what is none. */
#include <stdio.h>
#include <string.h>

#include "awkward_vfs.h"
#include "test.h"
#include "text/csv.h"

static dgm_status open_text(struct dgm_csv *csv, const char *text, size_t bytes)
{
    const char *path = path_of("a.csv");

    memset(csv, 0, sizeof *csv);
    put_file(path, text, bytes);
    return dgm_csv_open(test_env(), csv, path);
}

/* The next record has these fields, with a bar between two. */
static void check_record(struct dgm_csv *csv, const char *want)
{
    char got[256];
    size_t i, at = 0;
    int more = 0;

    CHECK_STATUS(dgm_csv_next(test_env(), csv, &more), DGM_OK);
    CHECK_INT(more, 1);
    for (i = 0; i < csv->count; i++)
        at += (size_t)snprintf(got + at, sizeof got - at, "%s%s", i > 0 ? "|" : "",
                               dgm_csv_field(csv, i));
    CHECK_STR(got, want);
}

static void check_end(struct dgm_csv *csv)
{
    int more = 1;

    CHECK_STATUS(dgm_csv_next(test_env(), csv, &more), DGM_OK);
    CHECK_INT(more, 0);
    dgm_csv_close(test_env(), csv);
}

TEST(csv_quoted_fields_hold_commas_quotes_and_line_breaks)
{
    static const char text[] = "\xEF\xBB\xBF"
                               "a,b,c\r\n\"x, y\",\"say \"\"no\"\"\",\"two\r\nlines\"\n\n,,\n"
                               "1,\"\",3";
    struct dgm_csv csv;

    CHECK_STATUS(open_text(&csv, text, sizeof text - 1), DGM_OK);
    check_record(&csv, "a|b|c");
    check_record(&csv, "x, y|say \"no\"|two\nlines");
    CHECK_INT(csv.line, 2);
    check_record(&csv, "||");
    CHECK_INT(csv.line, 5);
    check_record(&csv, "1||3");
    check_end(&csv);
}

static void check_refused(const char *text, size_t bytes, long line, const char *message)
{
    struct dgm_csv csv;
    dgm_status status = DGM_OK;
    int more = 1;

    CHECK_STATUS(open_text(&csv, text, bytes), DGM_OK);
    while (status == DGM_OK && more)
        status = dgm_csv_next(test_env(), &csv, &more);
    CHECK_STATUS(status, DGM_DATA);
    CHECK(strstr(test_env()->error.message, message) != NULL);
    CHECK_INT(test_env()->error.line, line);
    dgm_csv_close(test_env(), &csv);
    dgm_env_clear_error(test_env());
}

TEST(csv_what_is_no_table_is_refused_at_its_line)
{
    static const char many[] = "a,b\n1,2\n1,2,3\n", open[] = "a,b\n1,\"2\n3\n",
                      behind[] = "a,b\n\"1\"x,2\n", inside[] = "a,b\n1\"x\",2\n",
                      nul[] = "a,b\n1\0,2\n";

    check_refused(many, sizeof many - 1, 3, "3 fields; expected 2");
    check_refused(open, sizeof open - 1, 2, "a field begins with \" and never ends");
    check_refused(behind, sizeof behind - 1, 2, "a quotation mark inside field 1");
    check_refused(inside, sizeof inside - 1, 2, "a quotation mark inside field 1");
    check_refused(nul, sizeof nul - 1, 2, "a NUL byte");
}

TEST(csv_records_have_an_end)
{
    static char commas[1200], quoted[3 << 20];
    size_t i;

    memset(commas, ',', sizeof commas);
    check_refused(commas, sizeof commas, 1, "more than 1000 fields");
    memset(quoted, 'x', sizeof quoted);
    quoted[0] = '"';
    for (i = 100; i < sizeof quoted; i += 100)
        quoted[i] = '\n';
    check_refused(quoted, sizeof quoted, 1, "more than 1 MiB");
    quoted[0] = 'x';
    memset(quoted, 'x', sizeof quoted);
    check_refused(quoted, sizeof quoted, 1, "more than 1 MiB");
}
