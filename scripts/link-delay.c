/*
 * link-delay.c: a switch that delays: what a kernel without netem lacks. For scripts/measure-link.sh.
 *
 * usage: link-delay MICROSECONDS NAMESPACE...: makes a TAP device "lnk0" in each network namespace
 * ("-": this one) and hands each frame, MICROSECONDS after it came, to the device whose number is
 * the last byte of the destination's MAC (0 the first), or to all others. Ends with SIGTERM. Frames of
 * up to 64 KiB pass whole (TSO), so that a fast link is not a matter of system calls.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 16, ROOM = 4096, FRAME = 70000, HEADER = 10 }; /* of virtio, before each frame */

struct frame {
    int64_t due; /* nanoseconds */
    int from, size;
    unsigned char bytes[FRAME];
};

static struct frame *queue; /* (ROOM) in the order of arrival, which is that of `due` */
static int64_t first, last;
static int taps[MOST], count;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int open_tap(const char *space, int home)
{
    struct ifreq request;
    char path[256];
    int fd, place = home;

    snprintf(path, sizeof path, "/run/netns/%s", space);
    if (strcmp(space, "-") != 0)
        place = open(path, O_RDONLY);
    if (place < 0 || setns(place, CLONE_NEWNET) != 0)
        die(space);
    fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    memset(&request, 0, sizeof request);
    strcpy(request.ifr_name, "lnk0");
    request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
    if (fd < 0 || ioctl(fd, TUNSETIFF, &request) != 0 ||
        ioctl(fd, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6) != 0)
        die("/dev/net/tun");
    return fd;
}

static void take(int from, int64_t delay)
{
    while (last - first < ROOM) {
        struct frame *frame = &queue[last % ROOM];
        frame->size = (int)read(taps[from], frame->bytes, FRAME);
        if (frame->size <= HEADER)
            return;
        frame->due = now() + delay;
        frame->from = from;
        last++;
    }
}

static void hand_on(const struct frame *frame)
{
    const unsigned char *to = frame->bytes + HEADER;
    int i;

    for (i = 0; i < count; i++)
        if (i != frame->from && ((to[0] & 1) || to[5] == i))
            if (write(taps[i], frame->bytes, (size_t)frame->size) < 0)
                continue; /* lost, as on a real switch; TCP sends it again */
}

int main(int argc, char **argv)
{
    const int64_t delay = argc > 1 ? atol(argv[1]) * INT64_C(1000) : 0;
    const int home = open("/proc/self/ns/net", O_RDONLY);
    struct pollfd polled[MOST];
    int i;

    if (argc < 4 || argc - 2 > MOST)
        return 2;
    queue = malloc(ROOM * sizeof *queue);
    for (i = 2; i < argc; i++)
        taps[count++] = open_tap(argv[i], home);
    puts("ready");
    fflush(stdout);
    for (;;) {
        const int64_t wait = first < last ? queue[first % ROOM].due - now() : 1000000000;
        const struct timespec time = { wait > 0 ? wait / 1000000000 : 0,
                                       wait > 0 ? wait % 1000000000 : 0 };
        for (i = 0; i < count; i++) {
            polled[i].fd = taps[i];
            polled[i].events = last - first < ROOM ? POLLIN : 0;
        }
        ppoll(polled, (nfds_t)count, &time, NULL);
        for (i = 0; i < count; i++)
            if (polled[i].revents & POLLIN)
                take(i, delay);
        while (first < last && queue[first % ROOM].due <= now())
            hand_on(&queue[first++ % ROOM]);
    }
}
