/* test_conllu_packed.c: what is packed and unpacked is written as what was read. */
#include <stdio.h>
#include <string.h>

#include "syntax/conllu/conllu_packed.h"
#include "syntax/conllu/conllu_reader.h"
#include "test.h"

/* Comments, a range, an empty node; a block of comments alone; two roots. */
static const char text[] = "# sent_id = 1\n# text = am Tag\n"
                           "1-2\tam\t_\t_\t_\t_\t_\t_\t_\t_\n"
                           "1\tan\tan\tADP\t_\t_\t3\tcase\t_\t_\n"
                           "2\tdem\tder\tDET\t_\tCase=Dat\t3\tdet\t_\t_\n"
                           "2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"
                           "3\tTag\tTag\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
                           "\n# nothing\n\n"
                           "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n";

static int open_text(struct dgm_conllu_reader *reader)
{
    static const struct dgm_conllu_options options = { .lenient = 1, .allow_empty = 1 };
    static char path[1200];
    FILE *file;

    snprintf(path, sizeof path, "%s/in.conllu", test_dir());
    file = fopen(path, "wb");
    if (file == NULL)
        return 0;
    fputs(text, file);
    fclose(file);
    memset(reader, 0, sizeof *reader);
    return dgm_conllu_reader_open(test_env(), reader, path, &options) == DGM_OK;
}

static void check_same(const struct dgm_conllu_sentence *a, const struct dgm_conllu_sentence *b)
{
    int32_t w;
    size_t r;

    CHECK_INT(b->line, a->line);
    CHECK_INT(b->tree.count, a->tree.count);
    CHECK(!b->tree.has_parse);
    CHECK_INT(b->row_count, a->row_count);
    CHECK_INT(b->comment_count, a->comment_count);
    for (r = 0; r < a->row_count; r++)
        CHECK(a->rows[r].line == b->rows[r].line && a->rows[r].kind == b->rows[r].kind &&
              a->rows[r].first == b->rows[r].first && a->rows[r].last == b->rows[r].last);
    for (w = 0; w < a->tree.count; w++)
        CHECK_STR(dgm_conllu_field(b, w, DGM_CONLLU_FORM), dgm_conllu_field(a, w, DGM_CONLLU_FORM));
    CHECK_MEM(b->bytes.data, a->bytes.data, a->bytes.size);
}

TEST(conllu_packed_is_what_was_read)
{
    struct dgm_conllu_sentence read, unpacked;
    struct dgm_conllu_reader reader;
    struct dgm_buf packed = { 0 };
    int more = 1, count = 0;

    memset(&read, 0, sizeof read);
    memset(&unpacked, 0, sizeof unpacked);
    CHECK(open_text(&reader));
    for (;; count++) {
        CHECK_STATUS(dgm_conllu_reader_next(test_env(), &reader, &read, &more), DGM_OK);
        if (!more)
            break;
        dgm_buf_reset(&packed);
        CHECK_STATUS(dgm_conllu_pack(test_env(), &packed, &read), DGM_OK);
        CHECK_STATUS(dgm_conllu_unpack(test_env(), &unpacked, packed.data, packed.size), DGM_OK);
        check_same(&read, &unpacked);
    }
    CHECK_INT(count, 3);
    dgm_conllu_reader_close(test_env(), &reader);
    dgm_conllu_clear(test_env(), &read);
    dgm_conllu_clear(test_env(), &unpacked);
    dgm_buf_clear(test_env(), &packed);
}

TEST(conllu_packed_refuses_other_bytes)
{
    struct dgm_conllu_sentence sentence;
    int64_t head[5] = { 1, 0, 0, 0, 4 };

    memset(&sentence, 0, sizeof sentence);
    CHECK_STATUS(dgm_conllu_unpack(test_env(), &sentence, (const char *)head, sizeof head),
                 DGM_DATA);
    CHECK_STATUS(dgm_conllu_unpack(test_env(), &sentence, (const char *)head, 7), DGM_DATA);
    head[1] = INT64_MAX;
    CHECK_STATUS(dgm_conllu_unpack(test_env(), &sentence, (const char *)head, sizeof head),
                 DGM_DATA);
    head[1] = head[4] = 0;
    CHECK_STATUS(dgm_conllu_unpack(test_env(), &sentence, (const char *)head, sizeof head), DGM_OK);
    CHECK_INT(sentence.tree.count, 0);
    dgm_conllu_clear(test_env(), &sentence);
}
