/*
 * notices.c: what ranks tell each other out of turn: that one was asked to stop or to save, and how
 * they part after a failure.
 *
 * Ranks part in two steps. A rank that has failed, or that has heard of a failure, tells all others
 * that it parts: they call off what they wait for. What is on its way is taken by whoever it goes
 * to, so that the memory that it comes from is free; then a rank tells that it is gone. All stay
 * until all are gone, for a few seconds; after that the link ends them by force.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/ranks/link.h"
#include "base/ranks/ranks.h"
#include "base/system/clock.h"

/* Seconds in which other ranks must hear that one has failed. */
static double grace_of(const struct dgm_ranks *ranks)
{
    return ranks->grace > 0 ? ranks->grace : 10;
}

static struct dgm_notice new_notice(const struct dgm_ranks *ranks, enum dgm_notice_kind kind)
{
    struct dgm_notice notice = { 0 };

    notice.kind = (int32_t)kind;
    notice.rank = (int32_t)ranks->rank;
    if (ranks->reason != NULL)
        notice.reason = (int32_t)dgm_flag_value(ranks->reason);
    if (notice.reason == 0)
        notice.reason = (int32_t)ranks->stop_reason;
    return notice;
}

/* ---- hearing --------------------------------------------------------------------------------- */

/* The first failure that is heard is kept. */
static void note_failure(struct dgm_ranks *ranks, const struct dgm_notice *notice)
{
    if (ranks->failed >= 0)
        return;
    ranks->failed = notice->rank;
    ranks->failure = (dgm_status)notice->status;
    snprintf(ranks->failure_text, sizeof ranks->failure_text, "%.500s", notice->text);
}

static void take_notice(struct dgm_ranks *ranks, const struct dgm_notice *notice)
{
    if (notice->rank < 0 || notice->rank >= ranks->count)
        return;
    if (ranks->stop_reason == 0)
        ranks->stop_reason = (int)notice->reason;
    switch (notice->kind) {
    case DGM_NOTICE_STOP: ranks->stop_asked = 1; break;
    case DGM_NOTICE_SAVE: ranks->save_asked = 1; break;
    case DGM_NOTICE_GONE: ranks->farewells[notice->rank].is_gone = 1; break;
    case DGM_NOTICE_ASK: ranks->farewells[notice->rank].to_answer = 1; break;
    case DGM_NOTICE_HERE: ranks->farewells[notice->rank].is_here = 1; break;
    default: ranks->farewells[notice->rank].has_parted = 1;
    }
}

/* Rank 0 alone acts on what ranks were asked to do; the notice is told again until it is on its
 * way. */
static int tell_lead(struct dgm_ranks *ranks, enum dgm_notice_kind kind)
{
    const struct dgm_notice notice = new_notice(ranks, kind);

    return ranks->link->tell(ranks->self, 0, &notice);
}

/* A signal may reach any rank. */
static void pass_on(struct dgm_ranks *ranks)
{
    if (ranks->save != NULL && dgm_flag_get(ranks->save)) {
        dgm_flag_set(ranks->save, 0); /* first: it may be set again meanwhile */
        if (!tell_lead(ranks, DGM_NOTICE_SAVE))
            dgm_flag_set(ranks->save, 1);
    }
    if (!ranks->stop_told && ranks->stop != NULL && dgm_flag_get(ranks->stop))
        ranks->stop_told = tell_lead(ranks, DGM_NOTICE_STOP);
}

/* ---- whether others are there ---------------------------------------------------------------- */

static void tell_if(struct dgm_ranks *ranks, int peer, enum dgm_notice_kind kind, int *wanted)
{
    const struct dgm_notice notice = new_notice(ranks, kind);

    if (*wanted && ranks->link->tell(ranks->self, peer, &notice))
        *wanted = 0;
}

static void ask_and_answer(struct dgm_ranks *ranks)
{
    for (int i = 0; i < ranks->count; i++) {
        struct dgm_farewell *other = &ranks->farewells[i];
        if (!other->to_ask && !other->to_answer)
            continue;
        tell_if(ranks, i, DGM_NOTICE_ASK, &other->to_ask);
        tell_if(ranks, i, DGM_NOTICE_HERE, &other->to_answer);
    }
}

void dgm_ranks_ask(struct dgm_ranks *ranks)
{
    for (int i = 0; i < ranks->count; i++) {
        ranks->farewells[i].is_here = i == ranks->rank;
        ranks->farewells[i].to_ask = i != ranks->rank;
    }
    ask_and_answer(ranks);
}

int dgm_ranks_silent(const struct dgm_ranks *ranks)
{
    for (int i = 0; i < ranks->count; i++)
        if (!ranks->farewells[i].is_here)
            return i;
    return -1;
}

dgm_status dgm_ranks_listen(struct dgm_env *env, struct dgm_ranks *ranks)
{
    struct dgm_notice notice;

    if (ranks->rank != 0)
        pass_on(ranks);
    while (ranks->failed < 0 && ranks->link->hear(ranks->self, &notice)) {
        take_notice(ranks, &notice);
        if (notice.kind == DGM_NOTICE_FAILED)
            note_failure(ranks, &notice);
    }
    ask_and_answer(ranks);
    if (ranks->failed < 0)
        return DGM_OK;
    return dgm_fail(env, ranks->failure, "rank %d (%s): %s", ranks->failed,
                    ranks->places[ranks->failed].host, ranks->failure_text);
}

/* ---- parting --------------------------------------------------------------------------------- */

static void hear_farewells(struct dgm_ranks *ranks, const struct dgm_error *error)
{
    struct dgm_notice notice;

    while (ranks->link->hear(ranks->self, &notice)) {
        take_notice(ranks, &notice);
        if (notice.kind == DGM_NOTICE_FAILED && notice.rank >= 0 && notice.rank < ranks->count)
            ranks->farewells[notice.rank].is_same = strcmp(notice.text, error->message) == 0;
    }
}

/* The first notice of parting, then the second. */
static void tell_farewells(struct dgm_ranks *ranks, const struct dgm_notice notices[2])
{
    for (int i = 0; i < ranks->count; i++) {
        struct dgm_farewell *farewell = &ranks->farewells[i];

        if (i != ranks->rank && farewell->told < farewell->to_tell &&
            ranks->link->tell(ranks->self, i, &notices[farewell->told]))
            farewell->told++;
    }
}

static void plan_farewells(struct dgm_ranks *ranks, int to_tell)
{
    for (int i = 0; i < ranks->count; i++)
        ranks->farewells[i].to_tell = to_tell;
}

/* Whether all others are gone, and know that this rank is. */
static int have_parted(const struct dgm_ranks *ranks)
{
    for (int i = 0; i < ranks->count; i++)
        if (i != ranks->rank && (!ranks->farewells[i].is_gone || ranks->farewells[i].told < 2))
            return 0;
    return 1;
}

static void part(struct dgm_env *env, struct dgm_ranks *ranks, const struct dgm_notice notices[2])
{
    const struct timespec pause = { 0, 1000000 };
    const double started = dgm_clock();
    int left;

    plan_farewells(ranks, 1);
    do {
        hear_farewells(ranks, &env->error);
        left = ranks->link->abandon(env, ranks->self);
        if (left == 0)
            plan_farewells(ranks, 2);
        tell_farewells(ranks, notices);
        if (left == 0 && have_parted(ranks))
            break;
        nanosleep(&pause, NULL);
    } while (dgm_clock() - started < grace_of(ranks));
    ranks->is_unsafe = left > 0 || ranks->link->bound(ranks->self) > 0;
    ranks->is_stuck |= ranks->is_unsafe || !have_parted(ranks);
}

static void name_rank(const struct dgm_ranks *ranks, struct dgm_error *error)
{
    char message[sizeof error->message];

    strcpy(message, error->message);
    snprintf(error->message, sizeof error->message, "rank %d (%s): %.400s", ranks->rank,
             ranks->places[ranks->rank].host, message);
}

/* How many others have this rank's message; *is_lower: one of them has a lower number. */
static int count_same(const struct dgm_ranks *ranks, int *is_lower)
{
    int same = 0, i;

    *is_lower = 0;
    for (i = 0; i < ranks->count; i++) {
        same += ranks->farewells[i].is_same;
        *is_lower |= ranks->farewells[i].is_same && i < ranks->rank;
    }
    return same;
}

/* Whoever ends first by force ends all: not before the one that tells the error has written it. */
static void let_tell(const struct dgm_ranks *ranks)
{
    const struct timespec pause = { 0, 10000000 };
    const double started = dgm_clock();

    while (dgm_clock() - started < grace_of(ranks) / 4)
        nanosleep(&pause, NULL);
}

void dgm_ranks_settle(struct dgm_env *env, struct dgm_ranks *ranks, dgm_status status)
{
    const int is_own = ranks->failed < 0 && !ranks->is_told;
    struct dgm_notice notices[2];
    int same, is_lower;

    if (status == DGM_OK || ranks->has_ended)
        return;
    ranks->has_ended = 1;
    notices[0] = new_notice(ranks, is_own ? DGM_NOTICE_FAILED : DGM_NOTICE_LEAVING);
    notices[1] = new_notice(ranks, DGM_NOTICE_GONE);
    notices[0].status = (int32_t)status;
    snprintf(notices[0].text, sizeof notices[0].text, "%s", env->error.message);
    part(env, ranks, notices);
    same = count_same(ranks, &is_lower);
    ranks->is_told = !is_own || is_lower;
    if (!ranks->is_told && same < ranks->count - 1 && status != DGM_INTERRUPTED)
        name_rank(ranks, &env->error);
    if (ranks->is_told && ranks->is_stuck)
        let_tell(ranks);
}
