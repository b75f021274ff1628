/* test_spm_decode.c: pieces back into text. */
#include <stdio.h>

#include "spm_case.h"

static void check_text(const struct dgm_spm *spm, const int32_t *ids, size_t count,
                       const char *want)
{
    struct dgm_spm_decoder decoder;
    struct dgm_buf out = { .data = NULL };

    memset(&decoder, 0, sizeof decoder);
    dgm_spm_decoder_begin(&decoder);
    for (size_t i = 0; i < count; i++)
        CHECK_STATUS(dgm_spm_decoder_add(test_env(), spm, &decoder, ids[i]), DGM_OK);
    CHECK_STATUS(dgm_spm_decoder_end(test_env(), spm, &decoder, &out), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
    dgm_spm_decoder_clear(test_env(), &decoder);
}

/* Unknown, a control symbol, "_", "_a", "a", then all bytes; and what is put behind them. */
static void make_model_of(struct dgm_spm *spm, struct dgm_buf *rules)
{
    struct dgm_buf bytes = { .data = NULL };

    put_piece(&bytes, "<unk>", 0, DGM_SPM_UNKNOWN);
    put_piece(&bytes, "</s>", 0, DGM_SPM_CONTROL);
    put_piece(&bytes, DGM_SPM_SPACE, -1, DGM_SPM_NORMAL);
    put_piece(&bytes, DGM_SPM_SPACE "a", -1, DGM_SPM_NORMAL);
    put_piece(&bytes, "a", -1, DGM_SPM_NORMAL);
    for (unsigned byte = 0; byte < 256; byte++) {
        char text[8];

        snprintf(text, sizeof text, "<0x%02X>", byte);
        put_piece(&bytes, text, 0, DGM_SPM_BYTE);
    }
    put_bytes(&bytes, 2, "\x98\x02\x01", 3); /* byte_fallback = 35 */
    if (rules->size > 0)
        put_bytes(&bytes, 3, rules->data, rules->size);
    dgm_buf_clear(test_env(), rules);
    CHECK_STATUS(take_model(spm, &bytes), DGM_OK);
}

/* The defaults: a blank is added, extra ones are removed. */
static void make_model(struct dgm_spm *spm)
{
    struct dgm_buf none = { .data = NULL };

    make_model_of(spm, &none);
}

TEST(spm_decodes_blanks_bytes_and_the_unknown)
{
    static const int32_t words[] = { 3, 4, 3, 1 }, blanks[] = { 2, 2, 3 }, unknown[] = { 3, 0, 4 };
    static const int32_t bytes[] = { 3, 5 + 0xC3, 5 + 0xBC, 5 + 0xE2, 5 + 0x82, 4, 5 + 0x41 };
    struct dgm_spm spm;

    make_model(&spm);
    check_text(&spm, words, 4, "aa a");
    check_text(&spm, blanks, 3, "a");
    check_text(&spm, unknown, 3, "a \xE2\x81\x87 a");
    check_text(&spm, bytes, 7,
               "a\xC3\xBC\xEF\xBF\xBD\xEF\xBF\xBD"
               "aA");
    check_text(&spm, NULL, 0, "");
    dgm_spm_clear(test_env(), &spm);
}

TEST(spm_spells_unknown_characters_in_bytes)
{
    struct dgm_spm spm;

    make_model(&spm);
    check_pieces(&spm, "a\xC3\xBC a", DGM_SPM_SPACE "a <0xC3> <0xBC> " DGM_SPM_SPACE "a");
    dgm_spm_clear(test_env(), &spm);
}

/* Blanks at the beginning, as the original has them (SentencePieceProcessor::Decode): the one that
 * was added goes, and all of them where extra ones are removed. */
TEST(spm_decodes_blanks_at_the_beginning_by_the_rules)
{
    static const int32_t one[] = { 3 }, blanks[] = { 2, 2, 3 }, marked[] = { 1, 2, 1, 3 };
    static const struct {
        int prefix, extra;
        const char *one, *blanks, *marked;
    } rows[] = {
        { 0, 0, " a", "   a", "  a" },
        { 0, 1, "a", "a", "a" },
        { 1, 0, "a", "  a", " a" },
        { 1, 1, "a", "a", "a" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dgm_buf rules = { .data = NULL };
        struct dgm_spm spm;

        put_number(&rules, 3, rows[i].prefix);
        put_number(&rules, 4, rows[i].extra);
        make_model_of(&spm, &rules);
        check_text(&spm, one, 1, rows[i].one);
        check_text(&spm, blanks, 3, rows[i].blanks);
        check_text(&spm, marked, 4, rows[i].marked);
        dgm_spm_clear(test_env(), &spm);
    }
}

/* A piece of no model stays as it is, also where it begins as the unknown one is spelled, which
 * alone has a surface. */
TEST(spm_decodes_pieces_that_it_does_not_know)
{
    static const struct {
        const char *piece, *want;
    } rows[] = { { "<u", "<u" },   { "<unk>x", "<unk>x" }, { "<unk>", " \xE2\x81\x87 " },
                 { "bcd", "bcd" }, { "</s>", "" },         { DGM_SPM_SPACE "a", "a" } };
    struct dgm_spm spm;

    make_model(&spm);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dgm_spm_decoder decoder;
        struct dgm_buf out = { .data = NULL };

        memset(&decoder, 0, sizeof decoder);
        dgm_spm_decoder_begin(&decoder);
        CHECK_STATUS(dgm_spm_decoder_add_piece(test_env(), &spm, &decoder, rows[i].piece,
                                               strlen(rows[i].piece)),
                     DGM_OK);
        CHECK_STATUS(dgm_spm_decoder_end(test_env(), &spm, &decoder, &out), DGM_OK);
        CHECK_STATUS(dgm_buf_add(test_env(), &out, "", 0), DGM_OK);
        CHECK_STR(out.data, rows[i].want);
        dgm_buf_clear(test_env(), &out);
        dgm_spm_decoder_clear(test_env(), &decoder);
    }
    dgm_spm_clear(test_env(), &spm);
}
