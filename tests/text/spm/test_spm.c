/* test_spm.c: SentencePiece models: what is read and what is refused. */
#include "spm_case.h"

/* A model with these two pieces beside the unknown one. */
static dgm_status read_two(struct dgm_spm *spm, const char *a, const char *b, float score, int type)
{
    struct dgm_buf bytes = { .data = NULL };

    put_piece(&bytes, "<unk>", 0, DGM_SPM_UNKNOWN);
    put_piece(&bytes, a, -1, DGM_SPM_NORMAL);
    put_piece(&bytes, b, score, type);
    put_settings(&bytes, DGM_SPM_UNIGRAM);
    return take_model(spm, &bytes);
}

TEST(spm_knows_its_pieces)
{
    struct dgm_spm spm;

    CHECK_STATUS(read_two(&spm, "a", "bc", -2, DGM_SPM_NORMAL), DGM_OK);
    CHECK_INT(dgm_spm_size(&spm), 3);
    CHECK_INT(spm.unk, 0);
    CHECK_INT(dgm_spm_find(&spm, "bc", 2), 2);
    CHECK_INT(dgm_spm_find(&spm, "b", 1), 0);
    CHECK_STR(dgm_spm_piece(&spm, 1, NULL), "a");
    CHECK(spm.least == -2 && spm.most > 0); /* the library's bound starts above zero */
    CHECK_STR(dgm_spm_kind_name(spm.kind), "unigram");
    dgm_spm_clear(test_env(), &spm);
}

static void check_refused(struct dgm_spm *spm, dgm_status status, const char *part)
{
    CHECK_STATUS(status, DGM_DATA);
    CHECK(strstr(test_env()->error.message, part) != NULL);
    dgm_env_clear_error(test_env());
    dgm_spm_clear(test_env(), spm);
}

TEST(spm_refuses_pieces_that_cannot_be)
{
    volatile float zero = 0;
    struct dgm_spm spm;

    check_refused(&spm, read_two(&spm, "a", "a", -1, 1), "piece 2, \"a\", is piece 1 again");
    check_refused(&spm, read_two(&spm, "a", "", -1, 1), "0 bytes");
    check_refused(&spm, read_two(&spm, "a", "\xFF", -1, 1), "no UTF-8");
    check_refused(&spm, read_two(&spm, "a", "b", zero / zero, 1), "no finite");
    check_refused(&spm, read_two(&spm, "a", "b", -1 / zero, 1), "no finite");
    check_refused(&spm, read_two(&spm, "a", "b", -1, 7), "type 7");
    check_refused(&spm, read_two(&spm, "a", "b", -1, 0), "type 0");
    check_refused(&spm, read_two(&spm, "a", "b", -1, DGM_SPM_UNKNOWN), "0 and 2 are both");
    check_refused(&spm, read_two(&spm, "a", "<0x0A>", -1, DGM_SPM_BYTE), "1 pieces are bytes");
    check_refused(&spm, read_two(&spm, "a", "<0xZZ>", -1, DGM_SPM_BYTE), "1 pieces are bytes");
}

TEST(spm_needs_an_unknown_piece)
{
    struct dgm_buf bytes = { .data = NULL };
    struct dgm_spm spm;

    put_piece(&bytes, "a", -1, DGM_SPM_NORMAL);
    check_refused(&spm, take_model(&spm, &bytes), "unknown");
    CHECK_STATUS(dgm_buf_add(test_env(), &bytes, "", 0), DGM_OK);
    check_refused(&spm, take_model(&spm, &bytes), "unknown");
}

TEST(spm_refuses_a_kind_that_nobody_knows)
{
    struct dgm_buf bytes = { .data = NULL };
    struct dgm_spm spm;

    put_piece(&bytes, "<unk>", 0, DGM_SPM_UNKNOWN);
    put_settings(&bytes, 5);
    check_refused(&spm, take_model(&spm, &bytes), "model_type 5");
}
