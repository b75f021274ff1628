/* dealer.c: pieces of work to all ranks, and their answers back in order. */
#include "base/ranks/dealer.h"

#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/ranks/mail.h"
#include "base/system/clock.h"

enum { LETTER_PIECE, LETTER_ANSWER, LETTER_END };

/* Pieces that another rank has at a time; and those from the first that is not written to the last
 * that is read, for each rank. */
enum { DEPTH = 2, WINDOW = 6 };

/* Another rank, as rank 0 sees it. */
struct helper {
    struct dgm_inbox in;
    struct dgm_outbox out[DEPTH];
    int has;       /* pieces, not answered */
    double waited; /* seconds since it last answered or, having none, got one */
};

/* A piece that is read and not written. */
struct slot {
    int is_answered, peer; /* peer: whom it was sent to; 0: nobody */
    struct dgm_buf answer;
};

struct dealer {
    struct dgm_ranks *ranks;
    const struct dgm_dealing *dealing;
    dgm_poll_fn outer_poll; /* of the environment, outside dgm_deal */
    void *outer_user;
    int is_serving;
    double served; /* when, in seconds */
    /* Rank 0: */
    struct helper *helpers; /* (ranks) the first is not used */
    struct slot *slots;     /* (slot_count) by number mod slot_count */
    int64_t slot_count, read, written;
    struct dgm_buf piece; /* the next one, where has_piece is set */
    int has_piece, is_at_end;
    /* Another rank: */
    struct dgm_inbox in;
    struct dgm_outbox out;
};

/* Ranks that share a processor must let each other work. */
static void rest(int64_t turns)
{
    const struct timespec time = { 0, turns > 2000 ? 1000000 : 50000 };

    if (turns > 100)
        nanosleep(&time, NULL);
}

static void swap(struct dgm_buf *a, struct dgm_buf *b)
{
    const struct dgm_buf kept = *a;

    *a = *b;
    *b = kept;
}

/* ---- rank 0: letters ------------------------------------------------------------------------- */

static dgm_status fail_strange(struct dgm_env *env, const struct dealer *dealer, int peer)
{
    return dgm_fail(env, DGM_FAILURE, "rank %d (%s) has sent what nobody asked for", peer,
                    dealer->ranks->places[peer].host);
}

static dgm_status take_answer(struct dgm_env *env, struct dealer *dealer, int peer)
{
    struct helper *helper = &dealer->helpers[peer];
    const int64_t number = helper->in.head.number;
    struct slot *slot;

    if (helper->in.head.kind != LETTER_ANSWER || number < dealer->written || number >= dealer->read)
        return fail_strange(env, dealer, peer);
    slot = &dealer->slots[number % dealer->slot_count];
    if (slot->peer != peer || slot->is_answered)
        return fail_strange(env, dealer, peer);
    swap(&slot->answer, &helper->in.text);
    slot->is_answered = 1;
    helper->has--;
    helper->waited = 0;
    return dgm_inbox_open(env, dealer->ranks, &helper->in, peer);
}

/* A rank is blamed for the time in which rank 0 has looked after it: `seconds` since the last
 * time. */
static dgm_status check_patience(struct dgm_env *env, struct dealer *dealer, int peer,
                                 double seconds)
{
    struct helper *helper = &dealer->helpers[peer];
    struct dgm_ranks *ranks = dealer->ranks;

    helper->waited = helper->has > 0 ? helper->waited + (seconds < 1 ? seconds : 1) : 0;
    if (ranks->patience <= 0 || helper->waited <= ranks->patience)
        return DGM_OK;
    ranks->is_stuck = 1;
    return dgm_fail(env, DGM_FAILURE,
                    "rank %d (%s) has not answered for %ld seconds (--rank-timeout); the job ends, "
                    "what it has written is a beginning of the whole",
                    peer, ranks->places[peer].host, (long)ranks->patience);
}

static dgm_status receive_all(struct dgm_env *env, struct dealer *dealer)
{
    const double time = dgm_clock(), seconds = time - dealer->served;
    int peer, has_letter, is_free, i;

    dealer->served = time;
    for (peer = 1; peer < dealer->ranks->count; peer++) {
        struct helper *helper = &dealer->helpers[peer];

        for (i = 0; i < DEPTH; i++)
            DGM_TRY(dgm_outbox_is_free(env, dealer->ranks, &helper->out[i], &is_free));
        DGM_TRY(dgm_inbox_has_letter(env, dealer->ranks, &helper->in, &has_letter));
        if (has_letter)
            DGM_TRY(take_answer(env, dealer, peer));
        DGM_TRY(check_patience(env, dealer, peer, seconds));
    }
    return DGM_OK;
}

static dgm_status write_answers(struct dgm_env *env, struct dealer *dealer)
{
    const struct dgm_dealing *dealing = dealer->dealing;

    while (dealer->written < dealer->read) {
        struct slot *slot = &dealer->slots[dealer->written % dealer->slot_count];

        if (!slot->is_answered)
            break;
        DGM_TRY(dealing->write(env, dealing->user, &slot->answer));
        slot->is_answered = 0;
        dealer->written++;
    }
    return DGM_OK;
}

/* ---- rank 0: pieces -------------------------------------------------------------------------- */

/* A piece is at hand afterwards, if there is one, and a slot for its answer. */
static dgm_status read_piece(struct dgm_env *env, struct dealer *dealer)
{
    const struct dgm_dealing *dealing = dealer->dealing;
    enum dgm_supply supply = DGM_SUPPLY_LATER;

    if (dealer->has_piece || dealer->is_at_end ||
        dealer->read - dealer->written == dealer->slot_count)
        return DGM_OK;
    dgm_buf_reset(&dealer->piece);
    DGM_TRY(dealing->read(env, dealing->user, &dealer->piece, &supply));
    dealer->has_piece = supply == DGM_SUPPLY_PIECE;
    dealer->is_at_end = supply == DGM_SUPPLY_END;
    if (dealer->has_piece)
        dealer->slots[dealer->read++ % dealer->slot_count].peer = 0;
    return DGM_OK;
}

/* A box from which everything has left, or NULL: an answer may be here before it is known that its
 * piece has left. */
static struct dgm_outbox *find_box(struct helper *helper)
{
    for (int i = 0; i < DEPTH; i++)
        if (helper->out[i].left == 0)
            return &helper->out[i];
    return NULL;
}

/* The rank that has least to do, or -1. */
static int find_helper(const struct dealer *dealer)
{
    int best = -1, peer;

    for (peer = 1; peer < dealer->ranks->count; peer++)
        if (dealer->helpers[peer].has < DEPTH && find_box(&dealer->helpers[peer]) != NULL &&
            (best < 0 || dealer->helpers[peer].has < dealer->helpers[best].has))
            best = peer;
    return best;
}

static dgm_status send_piece(struct dgm_env *env, struct dealer *dealer, int peer)
{
    struct helper *helper = &dealer->helpers[peer];
    struct dgm_outbox *box = find_box(helper);

    swap(&box->text, &dealer->piece);
    dealer->has_piece = 0;
    dealer->slots[(dealer->read - 1) % dealer->slot_count].peer = peer;
    helper->has++;
    return dgm_outbox_send(env, dealer->ranks, box, peer, LETTER_PIECE, dealer->read - 1);
}

/* All that can be done without waiting, but for work. */
static dgm_status serve(struct dgm_env *env, struct dealer *dealer)
{
    int peer;

    DGM_TRY(dgm_ranks_listen(env, dealer->ranks));
    if (dealer->ranks->stop_asked)
        return dgm_fail(env, DGM_INTERRUPTED, "stopped");
    DGM_TRY(receive_all(env, dealer));
    DGM_TRY(write_answers(env, dealer));
    for (;;) {
        DGM_TRY(read_piece(env, dealer));
        peer = find_helper(dealer);
        if (!dealer->has_piece || peer < 0)
            return DGM_OK;
        DGM_TRY(send_piece(env, dealer, peer));
    }
}

/* Rank 0 works on the piece at hand. */
static dgm_status work_too(struct dgm_env *env, struct dealer *dealer, struct dgm_buf *own)
{
    const struct dgm_dealing *dealing = dealer->dealing;
    struct slot *slot = &dealer->slots[(dealer->read - 1) % dealer->slot_count];

    swap(own, &dealer->piece);
    dealer->has_piece = 0;
    dgm_buf_reset(&slot->answer);
    DGM_TRY(dealing->work(env, dealing->user, own, &slot->answer));
    slot->is_answered = 1;
    return DGM_OK;
}

static dgm_status deal_all(struct dgm_env *env, struct dealer *dealer, struct dgm_buf *own)
{
    int64_t turns = 0, before;

    while (!dealer->is_at_end || dealer->has_piece || dealer->written < dealer->read) {
        before = dealer->read + dealer->written;
        DGM_TRY(dgm_poll(env)); /* serves */
        if (dealer->has_piece)
            DGM_TRY(work_too(env, dealer, own));
        turns = dealer->read + dealer->written == before ? turns + 1 : 0;
        rest(turns);
    }
    return DGM_OK;
}

/* ---- rank 0: begin and end ------------------------------------------------------------------- */

static dgm_status open_all(struct dgm_env *env, struct dealer *dealer)
{
    const int count = dealer->ranks->count;

    dealer->slot_count = (int64_t)WINDOW * count;
    DGM_TRY(dgm_new(env, &dealer->helpers, (size_t)count, sizeof *dealer->helpers));
    DGM_TRY(dgm_new(env, &dealer->slots, (size_t)dealer->slot_count, sizeof *dealer->slots));
    for (int peer = 1; peer < count; peer++)
        DGM_TRY(dgm_inbox_open(env, dealer->ranks, &dealer->helpers[peer].in, peer));
    return DGM_OK;
}

/* Whether all letters to others have gone. */
static dgm_status has_sent(struct dgm_env *env, struct dealer *dealer, int *all)
{
    int peer, i, is_free;

    *all = 1;
    for (peer = 1; dealer->helpers != NULL && peer < dealer->ranks->count; peer++)
        for (i = 0; i < DEPTH; i++) {
            DGM_TRY(
                dgm_outbox_is_free(env, dealer->ranks, &dealer->helpers[peer].out[i], &is_free));
            *all &= is_free;
        }
    if (dealer->ranks->rank == 0)
        return DGM_OK;
    return dgm_outbox_is_free(env, dealer->ranks, &dealer->out, all);
}

static dgm_status wait_for_letters(struct dgm_env *env, struct dealer *dealer)
{
    int all = 0;

    for (int64_t turns = 0; !all; turns++) {
        rest(turns);
        DGM_TRY(dgm_ranks_listen(env, dealer->ranks));
        DGM_TRY(has_sent(env, dealer, &all));
    }
    return DGM_OK;
}

/* The other ranks' last letters: no receipt is left under way, which libraries complain of. */
static dgm_status hear_ends(struct dgm_env *env, struct dealer *dealer)
{
    int peer, has_letter, left = 1;

    for (int64_t turns = 0; left > 0; turns++) {
        rest(turns);
        left = 0;
        DGM_TRY(dgm_ranks_listen(env, dealer->ranks));
        for (peer = 1; peer < dealer->ranks->count; peer++) {
            struct helper *helper = &dealer->helpers[peer];

            DGM_TRY(dgm_inbox_has_letter(env, dealer->ranks, &helper->in, &has_letter));
            left += !has_letter;
            if (has_letter && helper->in.head.kind != LETTER_END)
                return fail_strange(env, dealer, peer);
        }
    }
    return DGM_OK;
}

static dgm_status end_all(struct dgm_env *env, struct dealer *dealer)
{
    for (int peer = 1; peer < dealer->ranks->count; peer++) {
        struct dgm_outbox *box = dealer->helpers[peer].out;

        dgm_buf_reset(&box->text);
        DGM_TRY(dgm_outbox_send(env, dealer->ranks, box, peer, LETTER_END, 0));
    }
    DGM_TRY(wait_for_letters(env, dealer));
    return hear_ends(env, dealer);
}

static dgm_status lead(struct dgm_env *env, struct dealer *dealer)
{
    struct dgm_buf own = { 0 };
    dgm_status status;

    DGM_TRY(open_all(env, dealer));
    status = deal_all(env, dealer, &own);
    dgm_buf_clear(env, &own);
    DGM_TRY(status);
    DGM_TRY(wait_for_letters(env, dealer));
    return end_all(env, dealer);
}

/* ---- another rank ---------------------------------------------------------------------------- */

/* Signals are rank 0's to obey: it hears of them, and what it says then ends the wait. */
static dgm_status wait_for_letter(struct dgm_env *env, struct dealer *dealer)
{
    int has_letter = 0, is_free;

    for (int64_t turns = 0; !has_letter; turns++) {
        rest(turns);
        DGM_TRY(dgm_ranks_listen(env, dealer->ranks));
        DGM_TRY(dgm_outbox_is_free(env, dealer->ranks, &dealer->out, &is_free));
        DGM_TRY(dgm_inbox_has_letter(env, dealer->ranks, &dealer->in, &has_letter));
    }
    return DGM_OK;
}

/* A stop ends the work, not the rank: that waits for rank 0 to stop all. */
static dgm_status answer(struct dgm_env *env, struct dealer *dealer, const struct dgm_buf *piece,
                         struct dgm_buf *text)
{
    const struct dgm_dealing *dealing = dealer->dealing;
    dgm_status status;

    dgm_buf_reset(text);
    status = dealing->work(env, dealing->user, piece, text);
    if (status != DGM_INTERRUPTED || dealer->ranks->failed >= 0)
        return status;
    dgm_env_clear_error(env);
    for (;;) {
        DGM_TRY(wait_for_letter(env, dealer)); /* fails when rank 0 has stopped */
        DGM_TRY(dgm_inbox_open(env, dealer->ranks, &dealer->in, 0));
    }
}

static dgm_status say_end(struct dgm_env *env, struct dealer *dealer)
{
    DGM_TRY(wait_for_letters(env, dealer));
    dgm_buf_reset(&dealer->out.text);
    DGM_TRY(dgm_outbox_send(env, dealer->ranks, &dealer->out, 0, LETTER_END, 0));
    return wait_for_letters(env, dealer);
}

static dgm_status follow_with(struct dgm_env *env, struct dealer *dealer, struct dgm_buf *piece,
                              struct dgm_buf *text)
{
    int64_t number;

    DGM_TRY(dgm_inbox_open(env, dealer->ranks, &dealer->in, 0));
    for (;;) {
        DGM_TRY(wait_for_letter(env, dealer));
        if (dealer->in.head.kind == LETTER_END)
            return say_end(env, dealer);
        number = dealer->in.head.number;
        swap(piece, &dealer->in.text);
        DGM_TRY(dgm_inbox_open(env, dealer->ranks, &dealer->in, 0));
        DGM_TRY(answer(env, dealer, piece, text));
        DGM_TRY(wait_for_letters(env, dealer));
        swap(&dealer->out.text, text);
        DGM_TRY(dgm_outbox_send(env, dealer->ranks, &dealer->out, 0, LETTER_ANSWER, number));
    }
}

static dgm_status follow(struct dgm_env *env, struct dealer *dealer)
{
    struct dgm_buf piece = { 0 }, text = { 0 };
    dgm_status status = follow_with(env, dealer, &piece, &text);

    dgm_buf_clear(env, &piece);
    dgm_buf_clear(env, &text);
    return status;
}

/* Letters move on while a rank works. */
static dgm_status look_after(struct dgm_env *env, struct dealer *dealer)
{
    int has_letter, is_free;

    if (dealer->ranks->rank == 0)
        return serve(env, dealer);
    DGM_TRY(dgm_ranks_listen(env, dealer->ranks));
    DGM_TRY(dgm_outbox_is_free(env, dealer->ranks, &dealer->out, &is_free));
    return dgm_inbox_has_letter(env, dealer->ranks, &dealer->in, &has_letter);
}

/* ---- the call -------------------------------------------------------------------------------- */

static dgm_status poll(struct dgm_env *env, void *user)
{
    struct dealer *dealer = user;
    dgm_status status;

    if (dealer->outer_poll != NULL)
        DGM_TRY(dealer->outer_poll(env, dealer->outer_user));
    if (dealer->is_serving) /* by what reads and writes */
        return DGM_OK;
    dealer->is_serving = 1;
    status = look_after(env, dealer);
    dealer->is_serving = 0;
    return status;
}

static void clear_helper(struct dgm_env *env, struct helper *helper)
{
    dgm_buf_clear(env, &helper->in.text);
    for (int i = 0; i < DEPTH; i++)
        dgm_buf_clear(env, &helper->out[i].text);
}

static void clear(struct dgm_env *env, struct dealer *dealer)
{
    for (int64_t i = 0; dealer->helpers != NULL && i < dealer->ranks->count; i++)
        clear_helper(env, &dealer->helpers[i]);
    for (int64_t i = 0; dealer->slots != NULL && i < dealer->slot_count; i++)
        dgm_buf_clear(env, &dealer->slots[i].answer);
    dgm_release(env, dealer->helpers);
    dgm_release(env, dealer->slots);
    dgm_buf_clear(env, &dealer->piece);
    dgm_buf_clear(env, &dealer->in.text);
    dgm_buf_clear(env, &dealer->out.text);
}

dgm_status dgm_deal(struct dgm_env *env, struct dgm_ranks *ranks, const struct dgm_dealing *dealing)
{
    struct dealer dealer = { .ranks = ranks, .dealing = dealing };
    dgm_status status;

    dealer.outer_poll = env->poll;
    dealer.outer_user = env->poll_user;
    dealer.served = dgm_clock();
    env->poll = poll;
    env->poll_user = &dealer;
    status = ranks->rank == 0 ? lead(env, &dealer) : follow(env, &dealer);
    env->poll = dealer.outer_poll;
    env->poll_user = dealer.outer_user;
    dgm_ranks_settle(env, ranks, status);
    if (!ranks->is_unsafe) /* else what is under way keeps its memory, to the end of the process */
        clear(env, &dealer);
    return status;
}
