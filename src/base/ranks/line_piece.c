/* line_piece.c: the number of the first line, then lines, each behind its length. */
#include "base/ranks/line_piece.h"

#include <string.h>

static dgm_status add_number(struct dgm_env *env, struct dgm_buf *piece, uint64_t number)
{
    return dgm_buf_add(env, piece, &number, sizeof number);
}

static uint64_t number_at(const struct dgm_buf *piece, size_t at)
{
    uint64_t number;

    memcpy(&number, piece->data + at, sizeof number);
    return number;
}

dgm_status dgm_line_piece_add(struct dgm_env *env, struct dgm_buf *piece, long number,
                              const char *text, size_t bytes)
{
    if (piece->size == 0)
        DGM_TRY(add_number(env, piece, (uint64_t)number));
    DGM_TRY(add_number(env, piece, bytes));
    return dgm_buf_add(env, piece, text, bytes);
}

int dgm_line_piece_is_full(const struct dgm_buf *piece, int64_t count, int64_t most)
{
    return count >= DGM_LINE_PIECE_LINES || count >= most || piece->size >= DGM_LINE_PIECE_BYTES;
}

dgm_status dgm_line_piece_read(struct dgm_env *env, const struct dgm_line_supply *supply,
                               struct dgm_buf *piece, enum dgm_supply *found)
{
    struct dgm_lines *lines = supply->lines;
    int64_t count = 0;
    int more;

    while (!dgm_line_piece_is_full(piece, count, supply->most)) {
        *found = count > 0 ? DGM_SUPPLY_PIECE : DGM_SUPPLY_LATER;
        if (!dgm_lines_ready(env, lines))
            return DGM_OK;
        DGM_TRY(dgm_lines_next(env, lines, &more));
        *found = count > 0 ? DGM_SUPPLY_PIECE : DGM_SUPPLY_END;
        if (!more)
            return DGM_OK;
        if (supply->warns)
            dgm_lines_warn_cut(env, lines);
        if ((lines->number - 1) % supply->step != supply->first)
            continue;
        DGM_TRY(
            dgm_line_piece_add(env, piece, lines->number - 1, lines->line.data, lines->line.size));
        count++;
    }
    *found = DGM_SUPPLY_PIECE;
    return DGM_OK;
}

int dgm_line_piece_next(const struct dgm_buf *piece, long step, struct dgm_line_piece *line)
{
    if (line->at >= piece->size)
        return 0;
    if (line->at == 0) {
        line->number = (long)number_at(piece, 0);
        line->at = sizeof(uint64_t);
    } else {
        line->number += step;
    }
    line->bytes = (size_t)number_at(piece, line->at);
    line->text = piece->data + line->at + sizeof(uint64_t);
    line->at += sizeof(uint64_t) + line->bytes;
    return 1;
}
