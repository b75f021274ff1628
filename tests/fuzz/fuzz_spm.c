/*
 * fuzz_spm.c: two bytes that say how long a text is, the text, then any bytes as a SentencePiece
 * model. A model that is accepted must cut every text into pieces which add up to it, and put
 * pieces together to UTF-8.
 */
#include <stdlib.h>
#include <string.h>

#include "text/spm/spm_decode.h"
#include "text/spm/spm_encode.h"
#include "text/unicode/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_utf8(const char *text, size_t size)
{
    uint32_t code;

    for (size_t at = 0; at < size;) {
        at += dgm_utf8_decode(&code, text + at, size - at);
        require(code != DGM_UTF8_BAD);
    }
}

static void check_line(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_spm_line *line)
{
    struct dgm_spm_decoder decoder;
    struct dgm_buf out = { .data = NULL };
    size_t at = 0;

    memset(&decoder, 0, sizeof decoder);
    dgm_spm_decoder_begin(&decoder);
    check_utf8(line->text.data, line->text.size);
    for (size_t i = 0; i < line->count; i++) {
        const struct dgm_spm_span *span = &line->pieces[i];

        require(span->start == at && span->end > at);
        require(span->id >= 0 && (size_t)span->id < dgm_spm_size(spm));
        at = span->end;
        require(dgm_spm_decoder_add(env, spm, &decoder, span->id) == DGM_OK);
    }
    require(at == line->text.size);
    require(dgm_spm_decoder_end(env, spm, &decoder, &out) == DGM_OK);
    check_utf8(out.data, out.size);
    dgm_buf_clear(env, &out);
    dgm_spm_decoder_clear(env, &decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t bytes = size >= 2 ? (size_t)(data[0] | data[1] << 8) : 0;
    const char *text = (const char *)data + 2;
    struct dgm_spm_line line;
    struct dgm_spm spm;
    struct dgm_env env;

    if (size < 2)
        return 0;
    if (bytes > size - 2)
        bytes = size - 2;
    dgm_env_init(&env);
    memset(&spm, 0, sizeof spm);
    memset(&line, 0, sizeof line);
    if (dgm_spm_parse(&env, &spm, text + bytes, size - 2 - bytes, "model") == DGM_OK) {
        require(dgm_spm_encode(&env, &spm, &line, text, bytes) == DGM_OK);
        check_line(&env, &spm, &line);
    }
    dgm_spm_line_clear(&env, &line);
    dgm_spm_clear(&env, &spm);
    return 0;
}
