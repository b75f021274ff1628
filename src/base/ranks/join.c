/* join.c: how ranks come together, what they know of each other then, and how they leave. */
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/ranks/launcher.h"
#include "base/ranks/link.h"
#include "base/ranks/ranks.h"

static dgm_status learn_places(struct dgm_env *env, struct dgm_ranks *ranks)
{
    struct dgm_place *own;

    DGM_TRY(dgm_new(env, &ranks->places, (size_t)ranks->count, sizeof *ranks->places));
    DGM_TRY(dgm_new(env, &ranks->farewells, (size_t)ranks->count, sizeof *ranks->farewells));
    DGM_TRY(dgm_new(env, &ranks->waited, (size_t)ranks->count, sizeof *ranks->waited));
    own = &ranks->places[ranks->rank];
    /* A rank that does not answer has no name yet. */
    for (int i = 0; i < ranks->count; i++)
        strcpy(ranks->places[i].host, "its machine is not known");
    memset(own->host, 0, sizeof own->host);
    if (gethostname(own->host, sizeof own->host - 1) != 0)
        strcpy(own->host, "unknown");
    own->machine = (int32_t)ranks->machine;
    dgm_cpus_allowed(&own->cpus);
    return dgm_ranks_gather(env, ranks, ranks->places, sizeof *ranks->places);
}

int dgm_ranks_cpus(const struct dgm_ranks *ranks)
{
    const struct dgm_place *own = &ranks->places[ranks->rank];
    int sharers = 0, share, i;

    for (i = 0; i < ranks->count; i++)
        sharers += i == ranks->rank || (ranks->places[i].machine == own->machine &&
                                        dgm_cpus_meet(&own->cpus, &ranks->places[i].cpus));
    share = dgm_cpus_count(&own->cpus) / sharers;
    return share < 1 ? 1 : share;
}

/* Several processes that each believe they are alone would train the same model several times. */
static dgm_status open_link(struct dgm_env *env, struct dgm_ranks *ranks, int launched,
                            double patience)
{
    DGM_TRY(ranks->link->join(env, ranks, patience));
    if (ranks->count == 1)
        return dgm_fail(env, DGM_FAILURE,
                        "a launcher has started %d processes, but MPI knows of this one alone: it "
                        "is the launcher of another MPI than this program was built with "
                        "(dragoman version --build). Try that one's, or --ranks off",
                        launched);
    ranks->patience = patience;
    DGM_TRY(learn_places(env, ranks));
    memset(&ranks->sent, 0, sizeof ranks->sent);
    return DGM_OK;
}

dgm_status dgm_ranks_join_by(struct dgm_env *env, const struct dgm_link *link, int launched,
                             double patience, struct dgm_ranks **out)
{
    struct dgm_ranks *ranks;
    dgm_status status;

    *out = NULL;
    DGM_TRY(dgm_new(env, &ranks, 1, sizeof *ranks));
    ranks->link = link;
    ranks->failed = -1;
    status = open_link(env, ranks, launched, patience);
    ranks->has_ended = status != DGM_OK;
    /* An exchange may be under way that never ends; a rank that is alone has begun none. */
    ranks->is_stuck = status != DGM_OK && ranks->count != 1;
    *out = ranks; /* leaving may end the process, which has an error to tell first */
    return status;
}

dgm_status dgm_ranks_join(struct dgm_env *env, double patience, struct dgm_ranks **out)
{
    const struct dgm_link *link = dgm_link_here();
    const int launched = dgm_launcher_ranks();

    *out = NULL;
    if (launched == 1)
        return DGM_OK;
    if (link == NULL)
        return dgm_fail(env, DGM_UNSUPPORTED,
                        "this process is one of %d that a launcher has started, but this program "
                        "was built without MPI (configure --with-mpi) and would do the same work "
                        "in each. Try it without the launcher, or --ranks off",
                        launched);
    return dgm_ranks_join_by(env, link, launched, patience, out);
}

void dgm_ranks_leave(struct dgm_env *env, struct dgm_ranks *ranks, int exit_code)
{
    if (ranks == NULL)
        return;
    if (ranks->is_stuck && ranks->is_told)
        sleep(1); /* before all processes end, another rank says why */
    if (ranks->self != NULL)
        ranks->link->leave(env, ranks->self, ranks->is_stuck, exit_code);
    dgm_release(env, ranks->places);
    dgm_release(env, ranks->farewells);
    dgm_release(env, ranks->waited);
    dgm_release(env, ranks);
}
