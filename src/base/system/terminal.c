/* terminal.c: how wide a terminal is. */
#include "base/system/terminal.h"

#include <sys/ioctl.h>

int dgm_terminal_columns(int fd)
{
#ifdef TIOCGWINSZ /* which no standard has, but all terminals do */
    struct winsize size;

    if (ioctl(fd, TIOCGWINSZ, &size) == 0)
        return size.ws_col;
#else
    (void)fd;
#endif
    return 0;
}
