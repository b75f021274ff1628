/*
 * link-ping.c: latency and rate between two ranks of MPI, as train's --link wants them. For
 * scripts/measure-link.sh; medians.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BIG = 8 << 20 };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median_of(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

/* Half of there and back. */
static double small_seconds(int rank)
{
    double times[201];
    char byte = 0;
    int i;

    for (i = 0; i < 201; i++) {
        const double started = MPI_Wtime();
        if (rank == 0) {
            MPI_Send(&byte, 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&byte, 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(&byte, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&byte, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
        times[i] = (MPI_Wtime() - started) / 2;
    }
    return median_of(times, 201);
}

/* In both directions at the same time. */
static double big_seconds(int rank)
{
    char *to = calloc(1, BIG), *from = calloc(1, BIG);
    double times[15];
    int i;

    for (i = 0; i < 15 && rank < 2; i++) {
        const double started = MPI_Wtime();
        MPI_Sendrecv(to, BIG, MPI_BYTE, 1 - rank, 0, from, BIG, MPI_BYTE, 1 - rank, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        times[i] = MPI_Wtime() - started;
    }
    free(to);
    free(from);
    return rank < 2 ? median_of(times, 15) : 0;
}

int main(int argc, char **argv)
{
    double small, big;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    small = small_seconds(rank);
    big = big_seconds(rank) - 3 * small;
    if (rank == 0)
        printf("%.0fMbit,%.0fus\n", 8e-6 * BIG / big, 1e6 * small);
    MPI_Finalize();
    return 0;
}
