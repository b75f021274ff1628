/* usage.c: how much memory the process uses. */
#include "base/system/usage.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/number/number.h"

/* KiB, but bytes on macOS. */
#ifdef __APPLE__
enum { PEAK_UNIT = 1 };
#else
enum { PEAK_UNIT = 1024 };
#endif

size_t dgm_usage_peak(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_maxrss < 0)
        return 0;
    return (size_t)usage.ru_maxrss * PEAK_UNIT;
}

double dgm_usage_most(double bytes)
{
    const double peak = (double)dgm_usage_peak();

    return peak > bytes ? peak : bytes;
}

/* The second number of Linux's /proc/self/statm, in pages; or 0. */
static int64_t resident_pages(void)
{
    char text[128];
    const char *number;
    int64_t pages = 0;
    ssize_t size;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return 0;
    size = read(fd, text, sizeof text - 1);
    close(fd);
    text[size > 0 ? size : 0] = '\0';
    number = strchr(text, ' ');
    if (number == NULL || !dgm_number_int(&pages, number + 1, strcspn(number + 1, " \n")))
        return 0;
    return pages;
}

size_t dgm_usage_now(void)
{
    int64_t pages = resident_pages();
    long unit = sysconf(_SC_PAGESIZE);

    return pages > 0 && unit > 0 ? (size_t)pages * (size_t)unit : dgm_usage_peak();
}
