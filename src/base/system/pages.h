/*
 * pages.h: large pages for large blocks of memory.
 */
#ifndef DGM_BASE_SYSTEM_PAGES_H
#define DGM_BASE_SYSTEM_PAGES_H

#include <stddef.h>

/*
 * Asks the system to use pages as large as it has for a block that nobody has touched yet. A hint:
 * what is in the block stays as it is. Blocks of less than some MiB are left alone.
 *
 * With pages of 4 KiB, weights that no cache holds come from memory at half its speed, for each of
 * them needs a look at the page tables; and it takes longer to make the pages than to fill them.
 */
void dgm_pages_enlarge(void *block, size_t bytes);

#endif
