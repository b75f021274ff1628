/*
 * pieces.c: files of lines through a SentencePiece model, into pieces and back.
 */
#include <string.h>

#include "api/context.h"
#include "api/text/line_file.h"
#include "api/program.h"
#include "base/lines/lines.h"
#include "base/mem.h"
#include "base/number/format.h"
#include "base/number/number.h"
#include "text/spm/spm_decode.h"
#include "text/spm/spm_encode.h"

#define SAMPLE_STREAM 0x53504D4CU /* "SPML": keeps these draws from all others */

struct dgm_pieces {
    struct dgm_context *context;
    struct dgm_spm spm;
    int ids;
    int draws; /* pieces, by `sampling`, the numbers of lines and the seed */
    struct dgm_spm_sampling sampling;
    uint64_t seed;
};

dgm_status dgm_pieces_open(dgm_context *context, struct dgm_pieces **pieces, const char *path,
                           int ids)
{
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_new(env, pieces, 1, sizeof **pieces));
    (*pieces)->context = context;
    (*pieces)->ids = ids;
    status = dgm_spm_load(env, &(*pieces)->spm, path);
    if (status != DGM_OK)
        dgm_pieces_close(*pieces);
    return status;
}

dgm_status dgm_pieces_sample(struct dgm_pieces *pieces, double alpha, double dropout, uint64_t seed,
                             const char *path)
{
    DGM_ENTER_HANDLE(pieces);
    pieces->draws = 1;
    pieces->seed = seed;
    return dgm_spm_sampling_init(&pieces->context->env, &pieces->sampling, &pieces->spm, alpha,
                                 dropout, path);
}

void dgm_pieces_close(struct dgm_pieces *pieces)
{
    struct dgm_env *env = &pieces->context->env;

    dgm_spm_clear(env, &pieces->spm);
    dgm_spm_sampling_clear(env, &pieces->sampling);
    dgm_release(env, pieces);
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* What each thread has of its own. */
struct worker {
    struct dgm_spm_line line;
    struct dgm_spm_decoder decoder;
};

struct crew {
    const struct dgm_pieces *pieces;
    struct worker *workers;
    const char *path;
};

static dgm_status write_id(struct dgm_env *env, struct dgm_buf *out, int32_t id)
{
    char digits[16];
    int at = 16;

    do
        digits[--at] = (char)('0' + id % 10);
    while ((id /= 10) > 0);
    return dgm_buf_add(env, out, digits + at, (size_t)(16 - at));
}

static dgm_status encode_by(struct dgm_env *env, void *tool, int worker, long number,
                            const char *line, size_t bytes, struct dgm_buf *out)
{
    const struct crew *crew = tool;
    const struct dgm_spm *spm = &crew->pieces->spm;
    struct dgm_spm_line *encoded = &crew->workers[worker].line;

    if (crew->pieces->draws)
        dgm_spm_line_sample(encoded, &crew->pieces->sampling, crew->pieces->seed, SAMPLE_STREAM,
                            (uint32_t)((uint64_t)number >> 32), (uint32_t)number);
    DGM_TRY(dgm_spm_encode(env, spm, encoded, line, bytes));
    for (size_t i = 0; i < encoded->count; i++) {
        size_t size;
        const char *piece = dgm_spm_line_piece(spm, encoded, i, &size);

        if (i > 0)
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(crew->pieces->ids ? write_id(env, out, encoded->pieces[i].id)
                                  : dgm_buf_add(env, out, piece, size));
    }
    return DGM_OK;
}

static dgm_status add_id(struct dgm_env *env, const struct crew *crew,
                         struct dgm_spm_decoder *decoder, const char *text, size_t bytes,
                         long number)
{
    const struct dgm_spm *spm = &crew->pieces->spm;
    char quoted[DGM_QUOTE_SIZE];
    int64_t id;

    if (dgm_number_int(&id, text, bytes) && id >= 0 && (uint64_t)id < dgm_spm_size(spm))
        return dgm_spm_decoder_add(env, spm, decoder, (int32_t)id);
    dgm_quote(quoted, sizeof quoted, text, bytes);
    return dgm_fail_at(env, DGM_DATA, crew->path, number, 0,
                       "\"%s\" is no number of a piece; expected 0 to %zu", quoted,
                       dgm_spm_size(spm) - 1);
}

static dgm_status decode_by(struct dgm_env *env, void *tool, int worker, long number,
                            const char *line, size_t bytes, struct dgm_buf *out)
{
    const struct crew *crew = tool;
    const struct dgm_spm *spm = &crew->pieces->spm;
    struct dgm_spm_decoder *decoder = &crew->workers[worker].decoder;
    size_t at = 0, size;

    dgm_spm_decoder_begin(decoder);
    for (; at < bytes; at += size + 1) {
        const char *end = memchr(line + at, ' ', bytes - at);

        size = end != NULL ? (size_t)(end - line) - at : bytes - at;
        if (size > 0)
            DGM_TRY(crew->pieces->ids
                        ? add_id(env, crew, decoder, line + at, size, number)
                        : dgm_spm_decoder_add_piece(env, spm, decoder, line + at, size));
    }
    return dgm_spm_decoder_end(env, spm, decoder, out);
}

static dgm_status run_file(struct dgm_pieces *pieces, const char *path, dgm_line_fn *line,
                           dgm_write_fn write, void *user)
{
    struct dgm_env *env;
    struct crew crew = { pieces, NULL, dgm_lines_name(path) };
    dgm_status status;
    int threads;

    DGM_ENTER_HANDLE(pieces);
    env = &pieces->context->env;
    threads = dgm_context_threads(pieces->context);
    DGM_TRY(dgm_new(env, &crew.workers, (size_t)threads, sizeof *crew.workers));
    status = dgm_line_file(pieces->context, path, line, &crew, write, user, NULL);
    for (int i = 0; i < threads; i++) {
        dgm_spm_line_clear(env, &crew.workers[i].line);
        dgm_spm_decoder_clear(env, &crew.workers[i].decoder);
    }
    dgm_release(env, crew.workers);
    return status;
}

dgm_status dgm_pieces_encode_file(void *tool, const char *path, dgm_write_fn write, void *user)
{
    return run_file(tool, path, encode_by, write, user);
}

dgm_status dgm_pieces_decode_file(void *tool, const char *path, dgm_write_fn write, void *user)
{
    return run_file(tool, path, decode_by, write, user);
}

/* ---- the model ------------------------------------------------------------------------------ */

static const char *const type_names[DGM_SPM_TYPES] = { "",        "normal",       "unknown",
                                                       "control", "user-defined", "unused",
                                                       "byte" };

/* As it stands, unless it would break the line, or send a terminal a command. */
static dgm_status add_shown(struct dgm_env *env, struct dgm_buf *out, const char *text,
                            size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7F)
            DGM_TRY(dgm_buf_add_format(env, out, "\\x%c%c", "0123456789ABCDEF"[text[i] >> 4 & 15],
                                       "0123456789ABCDEF"[text[i] & 15]));
        else
            DGM_TRY(dgm_buf_add_char(env, out, text[i]));
    return DGM_OK;
}

static dgm_status add_piece(struct dgm_env *env, struct dgm_buf *out, const struct dgm_spm *spm,
                            int32_t id)
{
    size_t bytes;
    const char *piece = dgm_spm_piece(spm, id, &bytes);

    return add_shown(env, out, piece, bytes);
}

static dgm_status describe(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_buf *out)
{
    const struct dgm_spm_rules *rules = &spm->rules;
    size_t counts[DGM_SPM_TYPES] = { 0 };
    const char *name = rules->name.size > 0 ? rules->name.data : "without a name";

    for (size_t id = 0; id < dgm_spm_size(spm); id++)
        counts[dgm_spm_type(spm, (int32_t)id)]++;
    DGM_TRY(dgm_buf_add_format(env, out, "kind: %s\npieces: %zu\n", dgm_spm_kind_name(spm->kind),
                               dgm_spm_size(spm)));
    for (int type = 1; type < DGM_SPM_TYPES; type++)
        if (counts[type] > 0)
            DGM_TRY(dgm_buf_add_format(env, out, "  %s: %zu\n", type_names[type], counts[type]));
    DGM_TRY(dgm_buf_add_format(env, out, "unknown piece: %d ", (int)spm->unk));
    DGM_TRY(add_piece(env, out, spm, spm->unk));
    DGM_TRY(dgm_buf_add_text(env, out, "\nrules: "));
    DGM_TRY(add_shown(env, out, name, strlen(name)));
    DGM_TRY(dgm_buf_add_format(env, out, ", %zu bytes\n",
                               4 * rules->charsmap.unit_count + rules->charsmap.text_bytes));
    DGM_TRY(dgm_buf_add_format(env, out, "blank added: %s\n",
                               !rules->dummy_prefix ? "no"
                               : rules->suffix      ? "at the end"
                                                    : "at the beginning"));
    DGM_TRY(dgm_buf_add_format(env, out, "extra blanks removed: %s\n",
                               rules->remove_extra ? "yes" : "no"));
    return dgm_buf_add_format(env, out, "blanks as U+2581: %s\nbytes for unknown characters: %s\n",
                              rules->escape_whitespaces ? "yes" : "no",
                              spm->byte_fallback ? "yes" : "no");
}

static dgm_status list_pieces(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_buf *out)
{
    for (size_t id = 0; id < dgm_spm_size(spm); id++) {
        DGM_TRY(add_piece(env, out, spm, (int32_t)id));
        DGM_TRY(dgm_buf_add_char(env, out, '\t'));
        DGM_TRY(dgm_buf_add_real(env, out, (double)spm->scores[id], 9));
        DGM_TRY(dgm_buf_add_format(env, out, "\t%s\n", type_names[dgm_spm_type(spm, (int32_t)id)]));
    }
    return DGM_OK;
}

dgm_status dgm_pieces_describe(struct dgm_pieces *pieces, int list, dgm_write_fn write, void *user)
{
    struct dgm_buf text = { 0 };
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER_HANDLE(pieces);
    env = &pieces->context->env;
    status = (list ? list_pieces : describe)(env, &pieces->spm, &text);
    return dgm_report_made(env, write, user, &text, status);
}
