/*
 * link_mpi.c: ranks that are connected by MPI: the only file that knows it. Compiled where
 * configure was told --with-mpi.
 *
 * All calls are made by the thread that joined. Of MPI only what every library has had since MPI 3
 * is used: nonblocking messages between two ranks, and nonblocking sums, in a communicator of our
 * own, so that a program that embeds the library may use MPI for itself.
 */
#include "base/ranks/link.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/system/clock.h"

/* Counts of MPI are ints: longer transfers go in pieces. */
#define PIECE ((size_t)1 << 30)

/* Among peers: a sum, of all. */
#define ALL INT_MIN

enum { TAG_NOTICE = 1, TAG_DATA = 2 /* of channel 0 */, TAG_LETTER = TAG_DATA + DGM_CHANNELS };

/* A transfer by itself. */
struct letter {
    MPI_Request request; /* MPI_REQUEST_NULL: its place is free */
    int is_send;
};

struct mpi_link {
    MPI_Comm ranks;
    MPI_Comm next;         /* that will be `ranks` when all have joined */
    int must_finalize;     /* MPI was begun here */
    MPI_Request *requests; /* of the transfers under way, in pieces */
    int *peers;            /* of each request; below 0, -1 - peer: it is a send; ALL: a sum */
    int *ended;            /* room for as many numbers */
    size_t count, request_capacity, peer_capacity, ended_capacity;
    MPI_Status *ignored; /* MPI_STATUSES_IGNORE: MPICH's is no array, of which gcc warns */
    struct letter *letters;
    size_t letter_count, letter_capacity;
    int is_abandoned;
    MPI_Request draining; /* what nobody here waits for any more, */
    void *drain;          /* and where it goes */
    MPI_Request hearing;  /* the next notice from any rank */
    struct dgm_notice heard;
    MPI_Request *telling;    /* (ranks) the latest notice to each rank */
    struct dgm_notice *told; /* (ranks) */
    int rank_count;
};

static dgm_status check(struct dgm_env *env, int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;

    if (code == MPI_SUCCESS)
        return DGM_OK;
    MPI_Error_string(code, text, &length);
    return dgm_fail(env, DGM_FAILURE, "MPI: %s: %.*s", call, length, text);
}

#define TRY_MPI(call, name) DGM_TRY(check(env, (call), (name)))

/* ---- joining and leaving --------------------------------------------------------------------- */

/* Of all calls that join, those that begin MPI have no limit of time but the launcher's. */
static dgm_status duplicate(struct dgm_env *env, struct mpi_link *link, double patience)
{
    const struct timespec pause = { 0, 1000000 };
    const double started = dgm_clock();
    MPI_Request request;
    int is_done = 0;

    TRY_MPI(MPI_Comm_idup(MPI_COMM_WORLD, &link->next, &request), "MPI_Comm_idup");
    for (;;) {
        TRY_MPI(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), "MPI_Comm_idup");
        if (is_done)
            break;
        if (patience > 0 && dgm_clock() - started > patience)
            return dgm_fail(env, DGM_FAILURE,
                            "not all ranks have joined within %ld seconds (--rank-timeout)",
                            (long)patience);
        nanosleep(&pause, NULL);
    }
    link->ranks = link->next;
    MPI_Comm_set_errhandler(link->ranks, MPI_ERRORS_RETURN);
    return DGM_OK;
}

static dgm_status begin(struct dgm_env *env, struct mpi_link *link)
{
    int is_begun = 0, is_ended = 0, level;

    MPI_Initialized(&is_begun);
    MPI_Finalized(&is_ended);
    if (is_ended)
        return dgm_fail(env, DGM_UNSUPPORTED,
                        "MPI has ended in this process, and cannot begin again");
    if (!is_begun)
        TRY_MPI(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level), "MPI_Init_thread");
    link->must_finalize = !is_begun;
    return DGM_OK;
}

static dgm_status learn_place(struct dgm_env *env, struct mpi_link *link, struct dgm_ranks *ranks)
{
    MPI_Comm machine;

    MPI_Comm_rank(link->ranks, &ranks->rank);
    MPI_Comm_size(link->ranks, &ranks->count);
    TRY_MPI(MPI_Comm_split_type(link->ranks, MPI_COMM_TYPE_SHARED, ranks->rank, MPI_INFO_NULL,
                                &machine),
            "MPI_Comm_split_type");
    MPI_Comm_rank(machine, &ranks->local);
    MPI_Comm_size(machine, &ranks->locals);
    ranks->machine = ranks->rank;
    MPI_Bcast(&ranks->machine, 1, MPI_INT, 0, machine);
    MPI_Comm_free(&machine);
    return DGM_OK;
}

static dgm_status hear_next(struct dgm_env *env, struct mpi_link *link)
{
    return check(env,
                 MPI_Irecv(&link->heard, (int)sizeof link->heard, MPI_BYTE, MPI_ANY_SOURCE,
                           TAG_NOTICE, link->ranks, &link->hearing),
                 "MPI_Irecv");
}

static dgm_status prepare_notices(struct dgm_env *env, struct mpi_link *link, int count)
{
    DGM_TRY(dgm_new(env, &link->telling, (size_t)count, sizeof *link->telling));
    DGM_TRY(dgm_new(env, &link->told, (size_t)count, sizeof *link->told));
    for (int i = 0; i < count; i++)
        link->telling[i] = MPI_REQUEST_NULL;
    link->rank_count = count;
    return hear_next(env, link);
}

static dgm_status mpi_join(struct dgm_env *env, struct dgm_ranks *ranks, double patience)
{
    struct mpi_link *link;

    DGM_TRY(dgm_new(env, &link, 1, sizeof *link));
    link->ranks = MPI_COMM_NULL;
    link->hearing = link->draining = MPI_REQUEST_NULL;
    link->ignored = MPI_STATUSES_IGNORE;
    ranks->self = link;
    DGM_TRY(begin(env, link));
    DGM_TRY(duplicate(env, link, patience));
    DGM_TRY(learn_place(env, link, ranks));
    return prepare_notices(env, link, ranks->count);
}

/* Notices that nobody has taken go with the process: their memory must stay until then. */
static void end_notices(struct mpi_link *link)
{
    int i, is_done;

    if (link->hearing != MPI_REQUEST_NULL) {
        MPI_Cancel(&link->hearing);
        MPI_Wait(&link->hearing, MPI_STATUS_IGNORE);
    }
    for (i = 0; i < link->rank_count; i++)
        if (link->telling[i] != MPI_REQUEST_NULL)
            MPI_Test(&link->telling[i], &is_done, MPI_STATUS_IGNORE);
}

static void mpi_leave(struct dgm_env *env, void *self, int by_force, int exit_code)
{
    struct mpi_link *link = self;

    if (by_force)
        MPI_Abort(link->ranks != MPI_COMM_NULL ? link->ranks : MPI_COMM_WORLD,
                  exit_code != 0 ? exit_code : 1);
    if (link->ranks != MPI_COMM_NULL)
        end_notices(link);
    if (link->must_finalize)
        MPI_Finalize();
    dgm_release(env, link->telling);
    dgm_release(env, link->told);
    dgm_release(env, link->requests);
    dgm_release(env, link->peers);
    dgm_release(env, link->ended);
    dgm_release(env, link->drain);
    dgm_release(env, link->letters);
    dgm_release(env, link);
}

/* ---- transfers ------------------------------------------------------------------------------- */

static dgm_status make_room(struct dgm_env *env, struct mpi_link *link)
{
    DGM_TRY(dgm_grow(env, &link->requests, &link->request_capacity, link->count,
                     sizeof *link->requests));
    DGM_TRY(dgm_grow(env, &link->peers, &link->peer_capacity, link->count, sizeof *link->peers));
    return dgm_grow(env, &link->ended, &link->ended_capacity, link->count, sizeof *link->ended);
}

static dgm_status start_piece(struct dgm_env *env, struct mpi_link *link,
                              const struct dgm_transfer *transfer, size_t at)
{
    const int tag = TAG_DATA + transfer->channel;
    const size_t rest = transfer->bytes - at;
    const int bytes = (int)(rest < PIECE ? rest : PIECE);
    char *data = (char *)transfer->data + at;
    MPI_Request *request;

    DGM_TRY(make_room(env, link));
    request = &link->requests[link->count];
    if (transfer->is_send)
        TRY_MPI(MPI_Isend(data, bytes, MPI_BYTE, transfer->peer, tag, link->ranks, request),
                "MPI_Isend");
    else
        TRY_MPI(MPI_Irecv(data, bytes, MPI_BYTE, transfer->peer, tag, link->ranks, request),
                "MPI_Irecv");
    link->peers[link->count++] = transfer->is_send ? -1 - transfer->peer : transfer->peer;
    return DGM_OK;
}

static dgm_status mpi_start(struct dgm_env *env, void *self, const struct dgm_transfer *transfers,
                            int count)
{
    struct mpi_link *link = self;

    for (int i = 0; i < count; i++)
        for (size_t at = 0; at < transfers[i].bytes; at += PIECE)
            DGM_TRY(start_piece(env, link, &transfers[i], at));
    return DGM_OK;
}

static dgm_status mpi_sum(struct dgm_env *env, void *self, dgm_real *values, size_t count, int root)
{
    const MPI_Datatype type = sizeof *values == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
    const size_t most = PIECE / sizeof *values;
    struct mpi_link *link = self;
    int rank;

    MPI_Comm_rank(link->ranks, &rank);
    for (size_t at = 0; at < count; at += most) {
        const void *from = rank == root ? MPI_IN_PLACE : values + at;
        const int piece = (int)(count - at < most ? count - at : most);

        DGM_TRY(make_room(env, link));
        TRY_MPI(MPI_Ireduce(from, values + at, piece, type, MPI_SUM, root, link->ranks,
                            &link->requests[link->count]),
                "MPI_Ireduce");
        link->peers[link->count++] = ALL;
    }
    return DGM_OK;
}

/* Requests that have ended are MPI_REQUEST_NULL: closes the gaps. */
static void forget_ended(struct mpi_link *link)
{
    size_t i, kept = 0;

    for (i = 0; i < link->count; i++)
        if (link->requests[i] != MPI_REQUEST_NULL) {
            link->requests[kept] = link->requests[i];
            link->peers[kept++] = link->peers[i];
        }
    link->count = kept;
}

/* One call for all: each lets all of them go on. */
static dgm_status test_all(struct dgm_env *env, struct mpi_link *link)
{
    int ended = 0;

    if (link->count == 0)
        return DGM_OK;
    TRY_MPI(MPI_Testsome((int)link->count, link->requests, &ended, link->ended, link->ignored),
            "MPI_Testsome");
    if (ended > 0)
        forget_ended(link);
    return DGM_OK;
}

static dgm_status mpi_test(struct dgm_env *env, void *self, int *left, int *peer)
{
    struct mpi_link *link = self;
    size_t i = 0;

    DGM_TRY(test_all(env, link));
    *left = (int)link->count;
    while (i < link->count && link->peers[i] == ALL)
        i++;
    *peer = -1;
    if (i < link->count)
        *peer = link->peers[i] < 0 ? -1 - link->peers[i] : link->peers[i];
    return DGM_OK;
}

static int mpi_bound(const void *self)
{
    const struct mpi_link *link = self;
    int sums = 0;

    for (size_t i = 0; i < link->count; i++)
        sums += link->peers[i] == ALL;
    return sums;
}

/* ---- letters --------------------------------------------------------------------------------- */

static dgm_status find_place(struct dgm_env *env, struct mpi_link *link, size_t *place)
{
    size_t i = 0;

    while (i < link->letter_count && link->letters[i].request != MPI_REQUEST_NULL)
        i++;
    *place = i;
    if (i < link->letter_count)
        return DGM_OK;
    DGM_TRY(dgm_grow(env, &link->letters, &link->letter_capacity, link->letter_count,
                     sizeof *link->letters));
    link->letters[link->letter_count++].request = MPI_REQUEST_NULL;
    return DGM_OK;
}

static dgm_status mpi_post(struct dgm_env *env, void *self, const struct dgm_transfer *transfer,
                           int *letter)
{
    struct mpi_link *link = self;
    const int bytes = (int)transfer->bytes, peer = transfer->peer;
    MPI_Request *request;
    size_t place;

    if (transfer->bytes > PIECE)
        return dgm_fail(env, DGM_MEMORY, "a message of %zu bytes to another rank; expected less",
                        transfer->bytes);
    DGM_TRY(find_place(env, link, &place));
    request = &link->letters[place].request;
    link->letters[place].is_send = transfer->is_send;
    *letter = (int)place;
    if (transfer->is_send)
        return check(env,
                     MPI_Isend(transfer->data, bytes, MPI_BYTE, peer, TAG_LETTER, link->ranks,
                               request),
                     "MPI_Isend");
    return check(env,
                 MPI_Irecv(transfer->data, bytes, MPI_BYTE, peer, TAG_LETTER, link->ranks, request),
                 "MPI_Irecv");
}

static dgm_status mpi_ended(struct dgm_env *env, void *self, int letter, int *has_ended)
{
    struct mpi_link *link = self;

    return check(env, MPI_Test(&link->letters[letter].request, has_ended, MPI_STATUS_IGNORE),
                 "MPI_Test");
}

/* How many are under way. */
static int abandon_letters(struct mpi_link *link)
{
    int left = 0, is_done;

    for (size_t i = 0; i < link->letter_count; i++) {
        struct letter *letter = &link->letters[i];

        if (letter->request == MPI_REQUEST_NULL)
            continue;
        if (!letter->is_send && !link->is_abandoned)
            MPI_Cancel(&letter->request);
        MPI_Test(&letter->request, &is_done, MPI_STATUS_IGNORE);
        left += !is_done;
    }
    return left;
}

/* ---- giving up ------------------------------------------------------------------------------- */

/* One message that was sent here and that no call waits for: its sender's memory is free then. */
static void drain_one(struct dgm_env *env, struct mpi_link *link)
{
    MPI_Status status;
    int is_there = 0, bytes = 0, is_done = 1;

    if (link->draining != MPI_REQUEST_NULL)
        MPI_Test(&link->draining, &is_done, MPI_STATUS_IGNORE);
    if (!is_done ||
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, link->ranks, &is_there, &status) != MPI_SUCCESS ||
        !is_there || status.MPI_TAG < TAG_DATA)
        return;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    dgm_release(env, link->drain);
    link->drain = dgm_alloc(env, (size_t)bytes + 1, 1);
    if (link->drain != NULL)
        MPI_Irecv(link->drain, bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, link->ranks,
                  &link->draining);
}

/* A receipt whose message is on its way cannot be called off: it ends when that is there. What is
 * being sent ends when it is received: no library calls all sends off. */
static int mpi_abandon(struct dgm_env *env, void *self)
{
    struct mpi_link *link = self;
    const struct dgm_error error = env->error; /* what happens here is not why the run fails */
    const int letters = abandon_letters(link);

    for (size_t i = 0; i < link->count && !link->is_abandoned; i++)
        if (link->peers[i] >= 0)
            MPI_Cancel(&link->requests[i]);
    link->is_abandoned = 1;
    test_all(env, link);
    drain_one(env, link);
    env->error = error;
    return (int)link->count - mpi_bound(link) + letters;
}

/* ---- notices --------------------------------------------------------------------------------- */

static int mpi_tell(void *self, int peer, const struct dgm_notice *notice)
{
    struct mpi_link *link = self;
    int is_done = 1;

    if (link->telling[peer] != MPI_REQUEST_NULL)
        MPI_Test(&link->telling[peer], &is_done, MPI_STATUS_IGNORE);
    if (!is_done)
        return 0;
    link->told[peer] = *notice;
    return MPI_Isend(&link->told[peer], (int)sizeof *notice, MPI_BYTE, peer, TAG_NOTICE,
                     link->ranks, &link->telling[peer]) == MPI_SUCCESS;
}

static int mpi_hear(void *self, struct dgm_notice *notice)
{
    struct mpi_link *link = self;
    int is_done = 0, i;

    for (i = 0; i < link->rank_count; i++) /* what was told makes progress by being asked after */
        if (link->telling[i] != MPI_REQUEST_NULL)
            MPI_Test(&link->telling[i], &is_done, MPI_STATUS_IGNORE);
    is_done = 0;
    if (link->hearing == MPI_REQUEST_NULL ||
        MPI_Test(&link->hearing, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS || !is_done)
        return 0;
    *notice = link->heard;
    MPI_Irecv(&link->heard, (int)sizeof link->heard, MPI_BYTE, MPI_ANY_SOURCE, TAG_NOTICE,
              link->ranks, &link->hearing);
    return 1;
}

const struct dgm_link *dgm_link_here(void)
{
    static const struct dgm_link link = {
        .join = mpi_join,
        .start = mpi_start,
        .sum = mpi_sum,
        .test = mpi_test,
        .post = mpi_post,
        .ended = mpi_ended,
        .abandon = mpi_abandon,
        .bound = mpi_bound,
        .tell = mpi_tell,
        .hear = mpi_hear,
        .leave = mpi_leave,
    };

    return &link;
}
