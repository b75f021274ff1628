/* pages.c: large pages for large blocks of memory. */
#ifdef __linux__
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "base/system/pages.h"

#include <stdint.h>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

/* A block of this size has one large page of x86-64 or AArch64 in it, at least. */
#define ENOUGH_BYTES ((size_t)4 << 20)

void dgm_pages_enlarge(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const long page = sysconf(_SC_PAGESIZE);
    const size_t step = page > 0 ? (size_t)page : 0;
    size_t skip;

    if (bytes < ENOUGH_BYTES || step == 0 || step > ENOUGH_BYTES)
        return;
    skip = (step - (uintptr_t)block % step) % step;
    bytes = (bytes - skip) / step * step;
    /* Refused where the kernel has none or the memory is of another kind: then pages stay small. */
    (void)madvise((char *)block + skip, bytes, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}
