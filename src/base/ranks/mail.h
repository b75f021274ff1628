/*
 * mail.h: letters from one rank to another, beside the collective calls: while they are under way,
 * both go on with their work.
 */
#ifndef DGM_BASE_RANKS_MAIL_H
#define DGM_BASE_RANKS_MAIL_H

#include "base/buf.h"
#include "base/ranks/ranks.h"

/* What stands before the text of a letter. The kind and the number are the sender's own. */
struct dgm_letter_head {
    int64_t kind, number, bytes;
};

/* A letter to another rank. Zero-initialise it; the text is the caller's, between two letters. */
struct dgm_outbox {
    struct dgm_letter_head head;
    struct dgm_buf text;
    int letters[2]; /* the link's names of head and text */
    int left;       /* of them, how many are under way: the last ones */
};

/* Sends the text, which stays as it is until dgm_outbox_is_free; it must be so now. */
dgm_status dgm_outbox_send(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_outbox *box,
                           int peer, int64_t kind, int64_t number);
/* Without waiting. */
dgm_status dgm_outbox_is_free(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_outbox *box,
                              int *is_free);

/* The next letter of another rank. Zero-initialise it. */
struct dgm_inbox {
    struct dgm_letter_head head;
    struct dgm_buf text;
    int peer, letter;
    enum { DGM_INBOX_CLOSED, DGM_INBOX_HEAD, DGM_INBOX_TEXT } state; /* what it waits for */
};

/* Waits from now on for the next letter of this rank; `text` is lost. */
dgm_status dgm_inbox_open(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_inbox *box,
                          int peer);
/* Without waiting: whether the letter is there. Then the box is closed, and head and text are the
 * caller's. */
dgm_status dgm_inbox_has_letter(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_inbox *box,
                                int *has_letter);

#endif
