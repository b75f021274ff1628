/* annotate_share.c: text, or sentences of CoNLL-U, that several ranks parse together. */
#include "decode/annotate/annotate.h"

#include <string.h>

#include "base/ranks/line_piece.h"
#include "syntax/conllu/conllu_packed.h"

/* What rank 0 reads and writes: lines or, where the window reads CoNLL-U, sentences. */
struct sharing {
    struct dgm_sentence_window *window;
    struct dgm_lines lines;
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    struct dgm_buf packed;
};

static int is_conllu(const struct dgm_sentence_window *window)
{
    return window->writer.input == DGM_SENTENCE_CONLLU;
}

static long step_of(const struct dgm_sentence_window *window)
{
    return window->step > 0 ? window->step : 1;
}

static int64_t most_of(const struct dgm_sentence_window *window)
{
    return window->immediate ? 1 : DGM_LINE_PIECE_LINES;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static dgm_status read_lines(struct dgm_env *env, void *user, struct dgm_buf *piece,
                             enum dgm_supply *found)
{
    struct sharing *sharing = user;
    const struct dgm_line_supply supply = {
        .lines = &sharing->lines,
        .first = sharing->window->first,
        .step = step_of(sharing->window),
        .most = most_of(sharing->window),
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
    const struct dgm_sentence_window *window = sharing->window;
    int64_t count = 0;
    int more;

    while (!dgm_line_piece_is_full(piece, count, most_of(window))) {
        *found = count > 0 ? DGM_SUPPLY_PIECE : DGM_SUPPLY_LATER;
        if (must_wait(env, sharing))
            return DGM_OK;
        DGM_TRY(dgm_conllu_reader_next(env, &sharing->reader, &sharing->sentence, &more));
        *found = count > 0 ? DGM_SUPPLY_PIECE : DGM_SUPPLY_END;
        if (!more)
            return DGM_OK;
        if ((sharing->reader.sentences - 1) % step_of(window) != window->first)
            continue;
        DGM_TRY(add_sentence(env, sharing, piece));
        count++;
    }
    *found = DGM_SUPPLY_PIECE;
    return DGM_OK;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Lines or sentences up to this one, counted from 0, are met by others; their sources go by. */
static dgm_status pass_to(struct dgm_sentence_window *window, long number)
{
    for (; window->seen < number; window->seen++)
        DGM_TRY(dgm_source_lines_next(window->env, &window->sources));
    return DGM_OK;
}

static dgm_status add(struct dgm_sentence_window *window, const struct dgm_line_piece *line)
{
    DGM_TRY(pass_to(window, line->number));
    window->seen++;
    if (is_conllu(window))
        return dgm_annotate_add_packed(window, line->text, line->bytes);
    window->line = line->number; /* which counts it */
    return dgm_annotate_add(window, line->text, line->bytes);
}

/* What stands before the text of an answer: what was counted in the piece. */
struct answer_head {
    struct dgm_unknown seen;
    struct dgm_laid_counts laid;
};

/* The counts of a window, which has them no more. */
static struct answer_head take_counts(struct dgm_sentence_window *window)
{
    const struct answer_head head = { window->parser.seen, window->writer.over.counts };

    memset(&window->parser.seen, 0, sizeof window->parser.seen);
    memset(&window->writer.over.counts, 0, sizeof window->writer.over.counts);
    return head;
}

static void add_counts(struct dgm_sentence_window *window, const struct answer_head *head)
{
    struct dgm_laid_counts *laid = &window->writer.over.counts;

    dgm_unknown_add(&window->parser.seen, head->seen);
    laid->words += head->laid.words;
    laid->kept += head->laid.kept;
    laid->lines += head->laid.lines;
}

static dgm_status work_on_piece(struct dgm_env *env, void *user, const struct dgm_buf *piece,
                                struct dgm_buf *answer)
{
    struct dgm_sentence_window *window = ((struct sharing *)user)->window;
    struct dgm_line_piece line = { .at = 0 };
    struct answer_head head;

    dgm_sentence_window_begin(window);
    while (dgm_line_piece_next(piece, step_of(window), &line))
        DGM_TRY(add(window, &line));
    DGM_TRY(dgm_annotate_run(window));
    head = take_counts(window);
    DGM_TRY(dgm_buf_add(env, answer, &head, sizeof head));
    return dgm_buf_add(env, answer, window->writer.out.data, window->writer.out.size);
}

static dgm_status write_answer(struct dgm_env *env, void *user, const struct dgm_buf *answer)
{
    struct sharing *sharing = user;
    struct answer_head head;
    const struct dgm_buf text = { .data = answer->data + sizeof head,
                                  .size = answer->size - sizeof head };

    memcpy(&head, answer->data, sizeof head);
    add_counts(sharing->window, &head);
    return text.size > 0 ? dgm_tree_output_add(env, &sharing->window->output, &text) : DGM_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

static dgm_status open_input(struct dgm_env *env, struct sharing *sharing, const char *path)
{
    return is_conllu(sharing->window) ? dgm_annotate_open_conllu(env, &sharing->reader, path)
                                      : dgm_lines_open(env, &sharing->lines, path);
}

static void close_input(struct dgm_env *env, struct sharing *sharing)
{
    dgm_lines_close(env, &sharing->lines);
    dgm_conllu_reader_close(env, &sharing->reader);
    dgm_conllu_clear(env, &sharing->sentence);
    dgm_buf_clear(env, &sharing->packed);
}

static dgm_status share(struct dgm_sentence_window *window, struct dgm_ranks *ranks,
                        const char *path)
{
    struct dgm_env *env = window->env;
    struct sharing sharing;
    const struct dgm_dealing dealing = { is_conllu(window) ? read_sentences : read_lines,
                                         write_answer, work_on_piece, &sharing };
    dgm_status status;

    memset(&sharing, 0, sizeof sharing);
    sharing.window = window;
    if (ranks->rank == 0)
        DGM_TRY(open_input(env, &sharing, path));
    status = dgm_deal(env, ranks, &dealing);
    if (status == DGM_OK && ranks->rank == 0)
        status =
            pass_to(window, is_conllu(window) ? sharing.reader.sentences : sharing.lines.number);
    if (ranks->rank == 0)
        close_input(env, &sharing);
    return status;
}

dgm_status dgm_annotate_share(struct dgm_sentence_window *window, struct dgm_ranks *ranks,
                              const char *path, dgm_write_fn write, void *user)
{
    struct dgm_env *env = window->env;
    dgm_status status;

    window->line = window->seen = 0;
    if (window->text.split == DGM_SPLIT_DOCUMENT)
        return dgm_fail(env, DGM_USAGE,
                        "split \"document\" on several ranks, which share lines; expected none or "
                        "lines");
    DGM_TRY(dgm_annotate_begin(window, write, user));
    DGM_TRY(dgm_source_lines_open(env, &window->sources, window->source, path));
    status = share(window, ranks, path);
    if (status == DGM_OK && ranks->rank == 0)
        status = dgm_source_lines_check_end(env, &window->sources);
    if (status == DGM_OK && ranks->rank == 0)
        status = dgm_tree_output_end(env, &window->output);
    if (ranks->rank == 0)
        dgm_annotate_tell_counts(window);
    dgm_source_lines_close(env, &window->sources);
    return status;
}
