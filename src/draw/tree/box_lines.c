/* box_lines.c: the characters, Unicode's with round corners and plain ones. */
#include "draw/tree/box_lines.h"

/* By UP 1, DOWN 2, LEFT 4, RIGHT 8. */
static const char *const unicode[16] = {
    " ", "╵", "╷", "│", "╴", "╯", "╮", "┤", "╶", "╰", "╭", "├", "─", "┴", "┬", "┼",
};

static const char *const plain[16] = {
    " ", "|", "|", "|", "-", "'", ".", "+", "-", "'", ".", "+", "-", "+", "+", "+",
};

const char *dgm_line_glyph(unsigned directions, int ascii)
{
    return ascii ? plain[directions & 15] : unicode[directions & 15];
}

/* The small triangles, whose width is not ambiguous. */
const char *dgm_line_arrow_down(int ascii)
{
    return ascii ? "v" : "▾";
}

const char *dgm_line_arrow_right(int ascii)
{
    return ascii ? ">" : "▸";
}

const char *dgm_line_ellipsis(int ascii)
{
    return ascii ? "~" : "…";
}

dgm_status dgm_line_blanks(struct dgm_env *env, struct dgm_buf *out, int32_t count)
{
    for (; count > 0; count--)
        DGM_TRY(dgm_buf_add_char(env, out, ' '));
    return DGM_OK;
}
