/* launcher.c: what started this process, by the variables that launchers set. */
#include "base/ranks/launcher.h"

#include <stdlib.h>
#include <string.h>

#include "base/number/number.h"

static int number_in(const char *variable)
{
    const char *text = getenv(variable);
    int64_t value;

    return text != NULL && dgm_number_int(&value, text, strlen(text)) && value > 0 &&
                   value <= 1 << 24
               ? (int)value
               : 0;
}

int dgm_launcher_ranks(void)
{
    /* Open MPI; MPICH, Intel MPI and Slurm's pmi2; MVAPICH. */
    static const char *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                         "MV2_COMM_WORLD_SIZE" };

    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (number_in(sizes[i]) > 0)
            return number_in(sizes[i]);
    /* PMIx names the rank alone, and srun --mpi=none not even that. Slurm, where it is the
     * launcher, knows how many there are. */
    if ((getenv("PMIX_RANK") != NULL || getenv("SLURM_PROCID") != NULL) &&
        number_in("SLURM_STEP_NUM_TASKS") > 0)
        return number_in("SLURM_STEP_NUM_TASKS");
    return 1;
}
