/*
 * resume_texts.c: whether the training texts of a resumed run are those of its checkpoint.
 *
 * What a checkpoint says is compared as text, and never shown: it is untrusted.
 */
#include "train/store/resume_texts.h"

#include <stdio.h>
#include <string.h>

/* The columns of a line of trainee->texts. */
enum { CHECKSUM, PAIRS, WANTED, TAG, COLUMNS };

struct column {
    const char *at;
    size_t length;
};

struct line {
    struct column columns[COLUMNS];
};

/* Takes the line at *at; 0: there is none. What a line lacks is empty. */
static int take_line(struct line *line, const char **at)
{
    if (**at == '\0')
        return 0;
    for (int c = CHECKSUM; c < COLUMNS; c++) {
        line->columns[c].at = *at;
        line->columns[c].length = strcspn(*at, c < TAG ? " \n" : "\n");
        *at += line->columns[c].length;
        *at += **at == ' ' && c < TAG;
    }
    *at += **at == '\n';
    return 1;
}

static int is_same(const struct column *a, const struct column *b)
{
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

static int has_shares(const char *texts)
{
    static const struct column none = { "-", 1 };
    struct line line;

    while (take_line(&line, &texts))
        if (!is_same(&line.columns[PAIRS], &line.columns[WANTED]) ||
            !is_same(&line.columns[TAG], &none))
            return 1;
    return 0;
}

/* Says in `what` how text number n differs; 0: it does not. */
static int tell(const struct line *old, const struct line *now, int n, char what[DGM_RESUME_WHAT])
{
    static const char *const differences[COLUMNS] = {
        [CHECKSUM] = "is not the one that this checkpoint was trained on",
        [PAIRS] = "has another number of pairs than in this checkpoint",
        [WANTED] = "has another share of an epoch than in this checkpoint",
        [TAG] = "has another tag than in this checkpoint",
    };

    for (int c = CHECKSUM; c < COLUMNS; c++)
        if (!is_same(&old->columns[c], &now->columns[c])) {
            snprintf(what, DGM_RESUME_WHAT, "training text %d %s", n, differences[c]);
            return 1;
        }
    return 0;
}

/* The first difference of several texts, in `what`; nothing where there is none. */
static void find_difference(const char *old, const char *now, char what[DGM_RESUME_WHAT])
{
    struct line was, is;
    int n = 1, has_old, has_now;

    for (;; n++) {
        has_old = take_line(&was, &old);
        has_now = take_line(&is, &now);
        if (!has_old || !has_now || tell(&was, &is, n, what))
            break;
    }
    if (has_old != has_now)
        snprintf(what, DGM_RESUME_WHAT, "there are %s training texts than in this checkpoint",
                 has_now ? "more" : "fewer");
}

static const char *text_of(const struct dgm_buf *texts)
{
    return texts->size > 0 ? texts->data : "";
}

int dgm_resume_is_new_text(const struct dgm_train_state *before, const struct dgm_buf *texts_before,
                           const struct dgm_train_state *now, const struct dgm_buf *texts_now,
                           char what[DGM_RESUME_WHAT])
{
    const char *old = text_of(texts_before), *new = text_of(texts_now);

    strcpy(what, "the training text is not the one that this checkpoint was trained on");
    if (before->train_checksum == now->train_checksum &&
        (strcmp(old, new) == 0 || (!has_shares(old) && !has_shares(new))))
        return 0;
    if (*old != '\0' && *new != '\0')
        find_difference(old, new, what);
    return 1;
}
