/*
 * link_speed.h: how fast ranks reach each other, as a user writes it: "100Gbit,2us".
 */
#ifndef DGM_TRAIN_PLAN_LINK_SPEED_H
#define DGM_TRAIN_PLAN_LINK_SPEED_H

struct dgm_link_speed {
    double rate;    /* bytes a second that a rank sends, and receives at the same time */
    double latency; /* seconds until a message has arrived */
    double message; /* seconds of a rank's processor for each message */
};

/* A message takes a processor no longer than this, unless it is said. */
#define DGM_LINK_MESSAGE 5e-6

/*
 * RATE,LATENCY[,MESSAGE]: a number with bit, Kbit, Mbit, Gbit or Tbit, a second; then one or two
 * with ns, us, ms or s. MESSAGE is the latency, or DGM_LINK_MESSAGE if that is less. Returns 0, and
 * *out as it was, for everything else: a rate of 0, a blank.
 */
int dgm_link_speed_read(const char *text, struct dgm_link_speed *out);

#endif
