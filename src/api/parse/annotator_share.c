/* annotator_share.c: text, or sentences of CoNLL-U, that several ranks parse together. */
#include "api/parse/annotator.h"

#include <string.h>

#include "api/program.h"
#include "base/ranks/line_piece.h"
#include "syntax/conllu/conllu_packed.h"

/* What rank 0 reads and writes: lines or, where the annotator reads CoNLL-U, sentences. */
struct sharing {
    struct dgm_annotator *annotator;
    struct dgm_lines lines;
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    struct dgm_buf packed;
};

static int is_conllu(const struct dgm_annotator *annotator)
{
    return annotator->writer.input == DGM_SENTENCE_CONLLU;
}

static long step_of(const struct dgm_annotator *annotator)
{
    return annotator->step > 0 ? annotator->step : 1;
}

static int64_t most_of(const struct dgm_annotator *annotator)
{
    return annotator->immediate ? 1 : DGM_LINE_PIECE_LINES;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static dgm_status read_lines(struct dgm_env *env, void *user, struct dgm_buf *piece,
                             enum dgm_supply *found)
{
    struct sharing *sharing = user;
    const struct dgm_line_supply supply = {
        .lines = &sharing->lines,
        .first = sharing->annotator->first,
        .step = step_of(sharing->annotator),
        .most = most_of(sharing->annotator),
        .warns = 1,
    };

    return dgm_line_piece_read(env, &supply, piece, found);
}

/* ---- sentences ------------------------------------------------------------------------------- */

static dgm_status add_sentence(struct dgm_env *env, struct sharing *sharing, struct dgm_buf *piece)
{
    dgm_buf_reset(&sharing->packed);
    DGM_TRY(dgm_conllu_pack(env, &sharing->packed, &sharing->sentence));
    return dgm_line_piece_add(env, piece, sharing->reader.sentences - 1, sharing->packed.data,
                              sharing->packed.size);
}

/* One that has begun is waited for, so that only between two of them others come first. */
static int must_wait(struct dgm_env *env, struct sharing *sharing)
{
    return !sharing->reader.held && !dgm_lines_block_ready(env, &sharing->reader.lines);
}

static dgm_status read_sentences(struct dgm_env *env, void *user, struct dgm_buf *piece,
                                 enum dgm_supply *found)
{
    struct sharing *sharing = user;
    const struct dgm_annotator *annotator = sharing->annotator;
    int64_t count = 0;
    int more;

    while (!dgm_line_piece_is_full(piece, count, most_of(annotator))) {
        *found = count > 0 ? DGM_SUPPLY_PIECE : DGM_SUPPLY_LATER;
        if (must_wait(env, sharing))
            return DGM_OK;
        DGM_TRY(dgm_conllu_reader_next(env, &sharing->reader, &sharing->sentence, &more));
        *found = count > 0 ? DGM_SUPPLY_PIECE : DGM_SUPPLY_END;
        if (!more)
            return DGM_OK;
        if ((sharing->reader.sentences - 1) % step_of(annotator) != annotator->first)
            continue;
        DGM_TRY(add_sentence(env, sharing, piece));
        count++;
    }
    *found = DGM_SUPPLY_PIECE;
    return DGM_OK;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Lines or sentences up to this one, counted from 0, are met by others; their sources go by. */
static dgm_status pass_to(struct dgm_annotator *annotator, long number)
{
    for (; annotator->seen < number; annotator->seen++)
        DGM_TRY(dgm_source_lines_next(&annotator->context->env, &annotator->sources));
    return DGM_OK;
}

static dgm_status add(struct dgm_annotator *annotator, const struct dgm_line_piece *line)
{
    DGM_TRY(pass_to(annotator, line->number));
    annotator->seen++;
    if (is_conllu(annotator))
        return dgm_annotator_add_packed(annotator, line->text, line->bytes);
    annotator->line = line->number; /* which counts it */
    return dgm_annotator_add(annotator, line->text, line->bytes);
}

static dgm_status work_on_piece(struct dgm_env *env, void *user, const struct dgm_buf *piece,
                                struct dgm_buf *answer)
{
    struct dgm_annotator *annotator = ((struct sharing *)user)->annotator;
    struct dgm_line_piece line = { .at = 0 };

    dgm_annotator_begin(annotator);
    while (dgm_line_piece_next(piece, step_of(annotator), &line))
        DGM_TRY(add(annotator, &line));
    DGM_TRY(dgm_annotator_run(annotator));
    return dgm_buf_add(env, answer, annotator->writer.out.data, annotator->writer.out.size);
}

static dgm_status write_answer(struct dgm_env *env, void *user, const struct dgm_buf *answer)
{
    struct sharing *sharing = user;

    return answer->size > 0 ? dgm_tree_output_add(env, &sharing->annotator->output, answer)
                            : DGM_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

static dgm_status open_input(struct dgm_env *env, struct sharing *sharing, const char *path)
{
    return is_conllu(sharing->annotator)
               ? dgm_annotator_open_conllu(sharing->annotator, &sharing->reader, path)
               : dgm_lines_open(env, &sharing->lines, path);
}

static void close_input(struct dgm_env *env, struct sharing *sharing)
{
    dgm_lines_close(env, &sharing->lines);
    dgm_conllu_reader_close(env, &sharing->reader);
    dgm_conllu_clear(env, &sharing->sentence);
    dgm_buf_clear(env, &sharing->packed);
}

static dgm_status share(struct dgm_annotator *annotator, struct dgm_ranks *ranks, const char *path)
{
    struct dgm_env *env = &annotator->context->env;
    struct sharing sharing;
    const struct dgm_dealing dealing = { is_conllu(annotator) ? read_sentences : read_lines,
                                         write_answer, work_on_piece, &sharing };
    dgm_status status;

    memset(&sharing, 0, sizeof sharing);
    sharing.annotator = annotator;
    if (ranks->rank == 0)
        DGM_TRY(open_input(env, &sharing, path));
    status = dgm_deal(env, ranks, &dealing);
    if (status == DGM_OK && ranks->rank == 0)
        status = pass_to(annotator,
                         is_conllu(annotator) ? sharing.reader.sentences : sharing.lines.number);
    if (ranks->rank == 0)
        close_input(env, &sharing);
    return status;
}

dgm_status dgm_annotator_share(dgm_annotator *annotator, struct dgm_ranks *ranks, const char *path,
                               dgm_write_fn write, void *user)
{
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER_HANDLE(annotator);
    env = &annotator->context->env;
    annotator->line = annotator->seen = 0;
    if (annotator->text.split == DGM_SPLIT_DOCUMENT)
        return dgm_fail(env, DGM_USAGE,
                        "split \"document\" on several ranks, which share lines; expected none or "
                        "lines");
    DGM_TRY(dgm_annotator_begin_output(annotator, write, user));
    DGM_TRY(dgm_source_lines_open(env, &annotator->sources, annotator->source, path));
    status = share(annotator, ranks, path);
    if (status == DGM_OK && ranks->rank == 0)
        status = dgm_source_lines_check_end(env, &annotator->sources);
    if (status == DGM_OK && ranks->rank == 0)
        status = dgm_tree_output_end(env, &annotator->output);
    dgm_source_lines_close(env, &annotator->sources);
    return status;
}
