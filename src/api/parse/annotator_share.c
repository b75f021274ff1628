/* annotator_share.c: text that several ranks parse together. */
#include "api/parse/annotator.h"
#include "api/program.h"
#include "base/ranks/line_piece.h"

/* What rank 0 reads and writes. */
struct sharing {
    struct dgm_annotator *annotator;
    struct dgm_lines lines;
    dgm_write_fn write;
    void *user;
};

static long step_of(const struct dgm_annotator *annotator)
{
    return annotator->step > 0 ? annotator->step : 1;
}

static dgm_status read_piece(struct dgm_env *env, void *user, struct dgm_buf *piece,
                             enum dgm_supply *found)
{
    struct sharing *sharing = user;
    const struct dgm_line_supply supply = {
        .lines = &sharing->lines,
        .first = sharing->annotator->first,
        .step = step_of(sharing->annotator),
        .most = sharing->annotator->immediate ? 1 : DGM_LINE_PIECE_LINES,
    };

    return dgm_line_piece_read(env, &supply, piece, found);
}

/* Lines up to this one, counted from 0, are met by others; their sources go by. */
static dgm_status pass_to(struct dgm_annotator *annotator, long number)
{
    for (; annotator->line < number; annotator->line++)
        DGM_TRY(dgm_source_lines_next(&annotator->context->env, &annotator->sources));
    return DGM_OK;
}

static dgm_status work_on_piece(struct dgm_env *env, void *user, const struct dgm_buf *piece,
                                struct dgm_buf *answer)
{
    struct dgm_annotator *annotator = ((struct sharing *)user)->annotator;
    struct dgm_line_piece line = { .at = 0 };

    dgm_annotator_begin(annotator);
    while (dgm_line_piece_next(piece, step_of(annotator), &line)) {
        DGM_TRY(pass_to(annotator, line.number));
        DGM_TRY(dgm_annotator_add(annotator, line.text, line.bytes));
    }
    DGM_TRY(dgm_annotator_run(annotator));
    return dgm_buf_add(env, answer, annotator->writer.out.data, annotator->writer.out.size);
}

static dgm_status write_answer(struct dgm_env *env, void *user, const struct dgm_buf *answer)
{
    struct sharing *sharing = user;

    return answer->size > 0 ? dgm_report_write(env, sharing->write, sharing->user, answer) : DGM_OK;
}

static dgm_status share_text(struct dgm_annotator *annotator, struct dgm_ranks *ranks,
                             const char *path, dgm_write_fn write, void *user)
{
    struct dgm_env *env = &annotator->context->env;
    struct sharing sharing = { .annotator = annotator, .write = write, .user = user };
    const struct dgm_dealing dealing = { read_piece, write_answer, work_on_piece, &sharing };
    dgm_status status;

    if (ranks->rank == 0)
        DGM_TRY(dgm_lines_open(env, &sharing.lines, path));
    status = dgm_deal(env, ranks, &dealing);
    if (status == DGM_OK && ranks->rank == 0)
        status = pass_to(annotator, sharing.lines.number);
    if (ranks->rank == 0)
        dgm_lines_close(env, &sharing.lines);
    return status;
}

dgm_status dgm_annotator_share(dgm_annotator *annotator, struct dgm_ranks *ranks, const char *path,
                               dgm_write_fn write, void *user)
{
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER_HANDLE(annotator);
    env = &annotator->context->env;
    if (annotator->writer.input == DGM_SENTENCE_CONLLU)
        return dgm_fail(env, DGM_UNSUPPORTED,
                        "CoNLL-U is not dealt out to ranks; expected text, or --shard and join");
    annotator->line = 0;
    DGM_TRY(dgm_source_lines_open(env, &annotator->sources, annotator->source, path));
    status = share_text(annotator, ranks, path, write, user);
    if (status == DGM_OK && ranks->rank == 0)
        status = dgm_source_lines_check_end(env, &annotator->sources);
    dgm_source_lines_close(env, &annotator->sources);
    return status;
}
