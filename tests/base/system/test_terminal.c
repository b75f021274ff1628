/* test_terminal.c: the width of a terminal, of none, and of one that does not tell. */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#include "base/system/terminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "test.h"

TEST(terminal_columns_are_those_of_the_window)
{
    struct winsize size = { 24, 63, 0, 0 };
    int pty = posix_openpt(O_RDWR | O_NOCTTY), tty;

    if (pty < 0 || grantpt(pty) != 0 || unlockpt(pty) != 0)
        TEST_SKIP("no terminals here");
    tty = open(ptsname(pty), O_RDWR | O_NOCTTY);
    CHECK(tty >= 0);
    CHECK_INT(dgm_terminal_columns(tty), 0);
    CHECK(ioctl(tty, TIOCSWINSZ, &size) == 0);
    CHECK_INT(dgm_terminal_columns(tty), 63);
    close(tty);
    close(pty);
}

TEST(terminal_columns_of_a_pipe_are_none)
{
    int ends[2];

    CHECK(pipe(ends) == 0);
    CHECK_INT(dgm_terminal_columns(ends[1]), 0);
    close(ends[0]);
    close(ends[1]);
    CHECK_INT(dgm_terminal_columns(-1), 0);
}
