/* code.c: code between backticks, as Markdown has it: a run of them, and the next run as long. */
#include "text/span/span.h"

static size_t run(const char *text, size_t bytes, size_t at)
{
    size_t end = at;

    while (end < bytes && text[end] == '`')
        end++;
    return end - at;
}

size_t dgm_span_code(const char *text, size_t bytes, size_t at)
{
    const size_t most = bytes - at < DGM_SPAN_MOST ? bytes : at + DGM_SPAN_MOST;
    const size_t ticks = run(text, most, at);

    if (ticks == 0 || (at > 0 && text[at - 1] == '`'))
        return 0;
    for (size_t end = at + ticks, next; end < most; end += (next > 0 ? next : 1)) {
        next = run(text, most, end);
        if (next == ticks)
            return end + next - at;
    }
    return 0;
}
