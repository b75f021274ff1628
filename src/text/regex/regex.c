/* regex.c: the first match of an expression in a text. */
#include "text/regex/regex.h"

#include <string.h>

#include "base/mem.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* A text being searched. */
struct search {
    const struct dgm_regex *regex;
    struct dgm_regex_work *work;
    const char *text;
    size_t size;
};

/* ---- characters ------------------------------------------------------------------------------ */

/* What \w is: letters, numbers and _. */
static int is_of_word(uint32_t code)
{
    return code == '_' || dgm_unicode_is(code, DGM_UNICODE_LETTER | DGM_UNICODE_NUMBER);
}

static int is_in_class(char class, uint32_t code)
{
    switch (class) {
    case 'd': return dgm_unicode_is(code, DGM_UNICODE_DECIMAL);
    case 'D': return !dgm_unicode_is(code, DGM_UNICODE_DECIMAL);
    case 'w': return is_of_word(code);
    case 'W': return !is_of_word(code);
    case 's': return dgm_unicode_is_blank(code);
    default: return !dgm_unicode_is_blank(code);
    }
}

static int is_in_set(const struct dgm_regex *regex, const struct dgm_regex_step *step,
                     uint32_t code)
{
    for (int32_t i = 0; i < step->second; i++) {
        const struct dgm_regex_range *range = &regex->ranges[step->first + i];

        if (range->class != 0 ? is_in_class(range->class, code)
                              : code >= range->from && code <= range->to)
            return !step->is_negated;
    }
    return step->is_negated;
}

static int accepts(const struct dgm_regex *regex, const struct dgm_regex_step *step, uint32_t code)
{
    switch (step->op) {
    case DGM_REGEX_CHARACTER: return code == (uint32_t)step->first;
    case DGM_REGEX_ANY: return code != '\n';
    case DGM_REGEX_SET: return is_in_set(regex, step, code);
    default: return 0;
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

static int is_word_before(const struct search *search, size_t at)
{
    uint32_t code;
    size_t start = at;

    if (at == 0)
        return 0;
    do
        start--;
    while (start > 0 && at - start < 4 && ((unsigned char)search->text[start] & 0xC0) == 0x80);
    return dgm_utf8_decode(&code, search->text + start, at - start) == at - start &&
           is_of_word(code);
}

static int is_word_behind(const struct search *search, size_t at)
{
    uint32_t code;

    if (at == search->size)
        return 0;
    dgm_utf8_decode(&code, search->text + at, search->size - at);
    return is_of_word(code);
}

static int is_edge(const struct search *search, size_t at)
{
    return is_word_before(search, at) != is_word_behind(search, at);
}

static int is_at_end(const struct search *search, size_t at)
{
    return at == search->size || (at + 1 == search->size && search->text[at] == '\n');
}

/* Whether a step that takes no character holds here. */
static int holds(const struct search *search, enum dgm_regex_op op, size_t at)
{
    switch (op) {
    case DGM_REGEX_BEGIN: return at == 0;
    case DGM_REGEX_END: return is_at_end(search, at);
    case DGM_REGEX_LAST: return at == search->size;
    case DGM_REGEX_EDGE: return is_edge(search, at);
    default: return search->size > 0 && !is_edge(search, at); /* never in nothing, as in Python */
    }
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Behind the list's threads: `step`, and what it leads to without a character, in their order. */
static void add(struct search *search, int list, uint32_t step, uint32_t start, size_t at)
{
    struct dgm_regex_work *work = search->work;
    size_t depth = 0;

    work->stack[depth++] = step;
    while (depth > 0) {
        const uint32_t here = work->stack[--depth];
        const struct dgm_regex_step *what = &search->regex->steps[here];

        if (work->seen[here] == work->round)
            continue;
        work->seen[here] = work->round;
        if (what->op == DGM_REGEX_SPLIT)
            work->stack[depth++] = (uint32_t)((int32_t)here + what->second);
        if (what->op == DGM_REGEX_SPLIT || what->op == DGM_REGEX_JUMP) {
            work->stack[depth++] = (uint32_t)((int32_t)here + what->first);
        } else if (what->op >= DGM_REGEX_BEGIN && what->op <= DGM_REGEX_NO_EDGE) {
            if (holds(search, what->op, at))
                work->stack[depth++] = here + 1;
        } else {
            struct dgm_regex_thread *thread = &work->threads[list][work->count[list]++];
            thread->step = here;
            thread->start = start;
        }
    }
}

/* The threads of a list at a place, in their order: each goes on behind the character, up to the
 * first that matches, which is returned; NULL: none does. */
static const struct dgm_regex_thread *step_on(struct search *search, int list, size_t at,
                                              int may_match)
{
    struct dgm_regex_work *work = search->work;
    uint32_t code = 0;
    size_t bytes = 0;

    if (at < search->size)
        bytes = dgm_utf8_decode(&code, search->text + at, search->size - at);
    work->round++;
    work->count[1 - list] = 0;
    for (size_t t = 0; t < work->count[list]; t++) {
        const struct dgm_regex_thread *thread = &work->threads[list][t];
        const struct dgm_regex_step *step = &search->regex->steps[thread->step];

        if (step->op == DGM_REGEX_MATCH && may_match)
            return thread;
        if (bytes > 0 && accepts(search->regex, step, code))
            add(search, 1 - list, thread->step + 1, thread->start, at + bytes);
    }
    return NULL;
}

static dgm_status prepare(struct dgm_env *env, struct dgm_regex_work *work, size_t steps)
{
    const size_t room = 2 * steps + 2; /* of the stack: each step leads to two */
    const struct dgm_parallel arrays[] = { { &work->threads[0], sizeof *work->threads[0] },
                                           { &work->threads[1], sizeof *work->threads[1] },
                                           { &work->seen, sizeof *work->seen },
                                           { &work->stack, sizeof *work->stack },
                                           { NULL, 0 } };

    DGM_TRY(dgm_reserve_parallel(env, arrays, &work->capacity, room));
    memset(work->seen, 0, steps * sizeof *work->seen);
    work->count[0] = work->count[1] = 0;
    work->round = 1;
    return DGM_OK;
}

/* ---- searching ------------------------------------------------------------------------------- */

static size_t behind(const struct search *search, size_t at)
{
    uint32_t code;

    return at + dgm_utf8_decode(&code, search->text + at, search->size - at);
}

dgm_status dgm_regex_find(struct dgm_env *env, const struct dgm_regex *regex,
                          struct dgm_regex_work *work, const char *text, size_t size, size_t from,
                          int advances, size_t *start, size_t *end, int *found)
{
    struct search search = { regex, work, text, size };
    int list = 0;

    *found = 0;
    DGM_TRY(prepare(env, work, regex->step_count));
    for (size_t at = from;; at = behind(&search, at), list = 1 - list) {
        const struct dgm_regex_thread *thread;

        if (!*found) /* a match may begin here, if none has begun before */
            add(&search, list, 0, (uint32_t)at, at);
        thread = step_on(&search, list, at, at > from || !advances);
        if (thread != NULL) {
            *found = 1;
            *start = thread->start;
            *end = at;
        }
        if (at == size || (*found && work->count[1 - list] == 0))
            return DGM_OK;
    }
}

void dgm_regex_work_clear(struct dgm_env *env, struct dgm_regex_work *work)
{
    dgm_release(env, work->threads[0]);
    dgm_release(env, work->threads[1]);
    dgm_release(env, work->seen);
    dgm_release(env, work->stack);
    memset(work, 0, sizeof *work);
}
