/* test_spm_text.c: pieces of SentencePiece as entries of a vocabulary. */
#include <stdio.h>
#include <string.h>

#include "base/le.h"
#include "data/text/spm_text.h"
#include "test.h"

static void add(struct dgm_buf *out, const void *bytes, size_t size)
{
    CHECK_STATUS(dgm_buf_add(test_env(), out, bytes, size), DGM_OK);
}

/* A field 1 of a model: a piece with its type. */
static void add_piece(struct dgm_buf *out, const char *piece, int type)
{
    size_t size = strlen(piece);
    char head[4] = { 0x0A, (char)(size + 4), 0x0A, (char)size }, tail[2] = { 0x18, (char)type };

    add(out, head, 4);
    add(out, piece, size);
    add(out, tail, 2);
}

/* <unk>, <s> and </s> as control symbols, "a", and all bytes. */
static void make(struct dgm_spm_text *text)
{
    struct dgm_buf bytes = { .data = NULL };

    memset(text, 0, sizeof *text);
    add_piece(&bytes, "<unk>", DGM_SPM_UNKNOWN);
    add_piece(&bytes, "<s>", DGM_SPM_CONTROL);
    add_piece(&bytes, "</s>", DGM_SPM_CONTROL);
    add_piece(&bytes, "a", DGM_SPM_NORMAL);
    for (unsigned byte = 0; byte < 256; byte++) {
        char piece[8];

        snprintf(piece, sizeof piece, "<0x%02X>", byte);
        add_piece(&bytes, piece, DGM_SPM_BYTE);
    }
    add(&bytes, "\x12\x03\x98\x02\x01", 5); /* byte_fallback */
    CHECK_STATUS(dgm_spm_parse(test_env(), &text->spm, bytes.data, bytes.size, "m"), DGM_OK);
    dgm_buf_clear(test_env(), &bytes);
}

TEST(spm_text_gives_pieces_their_entries_and_back)
{
    struct dgm_spm_decoder decoder;
    struct dgm_spm_text text;
    struct dgm_vocab vocab;
    struct dgm_map marks;
    struct dgm_map_entry *entry;
    struct dgm_buf out = { .data = NULL };
    size_t missing;
    int32_t ids[] = { 4, DGM_VOCAB_PAD, 5 + '\n', 4, 0, 5 + 0xFF, 4, DGM_VOCAB_EOS, 4 };

    make(&text);
    memset(&vocab, 0, sizeof vocab);
    memset(&marks, 0, sizeof marks);
    memset(&decoder, 0, sizeof decoder);
    CHECK_STATUS(dgm_map_insert(test_env(), &marks, "<de>", 4, &entry, NULL), DGM_OK);
    CHECK_STATUS(dgm_spm_text_vocab(test_env(), &text, &vocab, &marks, "m"), DGM_OK);
    CHECK_INT(dgm_vocab_size(&vocab), 4 + 1 + 256 + 1);
    CHECK_STR(dgm_vocab_token(&vocab, 4, NULL), "a");
    CHECK_STR(dgm_vocab_token(&vocab, 261, NULL), "<de>");
    CHECK_STATUS(dgm_spm_text_link(test_env(), &text, &vocab, &missing), DGM_OK);
    CHECK_INT(missing, 0);
    CHECK_INT(text.entries[3], 4);
    CHECK_INT(text.entries[1], DGM_VOCAB_UNK);
    CHECK_INT(text.pieces[261], -1);
    ids[4] = 261;
    dgm_spm_decoder_begin(&decoder);
    for (int i = 0; ids[i] != DGM_VOCAB_EOS; i++)
        CHECK_STATUS(dgm_spm_text_decode(test_env(), &text, &vocab, &marks, &decoder, ids[i]),
                     DGM_OK);
    CHECK_STATUS(dgm_spm_decoder_add_text(test_env(), &text.spm, &decoder, "x\xFE", 2, 1), DGM_OK);
    CHECK_STATUS(dgm_spm_decoder_add_text(test_env(), &text.spm, &decoder, "y", 1, 0), DGM_OK);
    CHECK_STATUS(dgm_spm_text_decode_end(test_env(), &text, &decoder, &out), DGM_OK);
    CHECK_STR(out.data, "a a\xEF\xBF\xBD"
                        "ax\xFE y");
    dgm_buf_clear(test_env(), &out);
    dgm_spm_decoder_clear(test_env(), &decoder);
    dgm_map_clear(test_env(), &marks);
    dgm_vocab_clear(test_env(), &vocab);
    dgm_spm_text_clear(test_env(), &text);
}

TEST(spm_text_counts_what_a_dictionary_lacks)
{
    struct dgm_spm_text text;
    struct dgm_vocab vocab;
    size_t missing;

    make(&text);
    memset(&vocab, 0, sizeof vocab);
    CHECK_STATUS(dgm_vocab_parse(test_env(), &vocab, "a 1\nb 1\n", 8, "v"), DGM_OK);
    CHECK_STATUS(dgm_spm_text_link(test_env(), &text, &vocab, &missing), DGM_OK);
    CHECK_INT(missing, 256);
    CHECK_INT(text.pieces[5], -1);
    dgm_vocab_clear(test_env(), &vocab);
    dgm_spm_text_clear(test_env(), &text);
}

TEST(spm_text_lets_no_piece_be_a_mark)
{
    struct dgm_spm_text text;
    struct dgm_vocab vocab;
    struct dgm_map marks;
    struct dgm_map_entry *entry;

    make(&text);
    memset(&vocab, 0, sizeof vocab);
    memset(&marks, 0, sizeof marks);
    CHECK_STATUS(dgm_map_insert(test_env(), &marks, "a", 1, &entry, NULL), DGM_OK);
    CHECK_STATUS(dgm_spm_text_vocab(test_env(), &text, &vocab, &marks, "m"), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "piece 3, a,") != NULL);
    dgm_env_clear_error(test_env());
    dgm_map_clear(test_env(), &marks);
    dgm_spm_text_clear(test_env(), &text);
}
