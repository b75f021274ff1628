/* mail.c: letters from one rank to another: a head of fixed size, then the text. */
#include "base/ranks/mail.h"

#include <string.h>

#include "base/mem.h"
#include "base/ranks/link.h"

static dgm_status post(struct dgm_env *env, struct dgm_ranks *ranks, int peer, int is_send,
                       void *data, size_t bytes, int *letter)
{
    const struct dgm_transfer transfer = {
        .peer = peer, .is_send = is_send, .data = data, .bytes = bytes
    };

    if (is_send) {
        ranks->sent.bytes += bytes;
        ranks->sent.messages++;
    }
    return ranks->link->post(env, ranks->self, &transfer, letter);
}

/* ---- out ------------------------------------------------------------------------------------- */

dgm_status dgm_outbox_send(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_outbox *box,
                           int peer, int64_t kind, int64_t number)
{
    const int count = box->text.size > 0 ? 2 : 1;

    box->head.kind = kind;
    box->head.number = number;
    box->head.bytes = (int64_t)box->text.size;
    DGM_TRY(post(env, ranks, peer, 1, &box->head, sizeof box->head, &box->letters[2 - count]));
    if (count == 2)
        DGM_TRY(post(env, ranks, peer, 1, box->text.data, box->text.size, &box->letters[1]));
    box->left = count;
    return DGM_OK;
}

dgm_status dgm_outbox_is_free(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_outbox *box,
                              int *is_free)
{
    int has_ended = 1;

    while (box->left > 0 && has_ended) {
        DGM_TRY(ranks->link->ended(env, ranks->self, box->letters[2 - box->left], &has_ended));
        box->left -= has_ended;
    }
    *is_free = box->left == 0;
    return DGM_OK;
}

/* ---- in -------------------------------------------------------------------------------------- */

dgm_status dgm_inbox_open(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_inbox *box,
                          int peer)
{
    box->peer = peer;
    DGM_TRY(post(env, ranks, peer, 0, &box->head, sizeof box->head, &box->letter));
    box->state = DGM_INBOX_HEAD;
    return DGM_OK;
}

/* The head is there: room for the text, which is awaited, if there is one. */
static dgm_status await_text(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_inbox *box)
{
    const int64_t bytes = box->head.bytes;

    box->state = DGM_INBOX_CLOSED;
    dgm_buf_reset(&box->text);
    if (bytes < 0 || bytes > (int64_t)DGM_BUF_LIMIT)
        return dgm_fail(env, DGM_FAILURE, "rank %d (%s) announces a message of %lld bytes",
                        box->peer, ranks->places[box->peer].host, (long long)bytes);
    DGM_TRY(dgm_reserve(env, &box->text.data, &box->text.capacity, (size_t)bytes + 1, 1));
    box->text.size = (size_t)bytes;
    box->text.data[bytes] = '\0';
    if (bytes == 0)
        return DGM_OK;
    DGM_TRY(post(env, ranks, box->peer, 0, box->text.data, box->text.size, &box->letter));
    box->state = DGM_INBOX_TEXT;
    return DGM_OK;
}

dgm_status dgm_inbox_has_letter(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_inbox *box,
                                int *has_letter)
{
    int has_ended = 1;

    while (box->state != DGM_INBOX_CLOSED && has_ended) {
        DGM_TRY(ranks->link->ended(env, ranks->self, box->letter, &has_ended));
        if (has_ended && box->state == DGM_INBOX_HEAD)
            DGM_TRY(await_text(env, ranks, box));
        else if (has_ended)
            box->state = DGM_INBOX_CLOSED;
    }
    *has_letter = box->state == DGM_INBOX_CLOSED;
    return DGM_OK;
}
