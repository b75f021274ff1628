/*
 * gaussian.h: how much a word counts by its distance from where attention should go: a Gaussian, or
 * a window; what Deps-SAN (distance in the tree) and PASCAL (distance from the head) have in
 * common.
 */
#ifndef DGM_NN_ATTN_GAUSSIAN_H
#define DGM_NN_ATTN_GAUSSIAN_H

#include <math.h>

#include "nn/attn/attn.h"

struct dgm_attn_gaussian {
    double sigma;   /* standard deviation; of a window: distances < sigma + 1 are inside */
    int uniform;    /* a window: 1 inside, 0 outside */
    int norm_const; /* the Gaussian's constant, 1 / sqrt(2 pi sigma^2), is kept */
};

/* The options that both variants have. */
/* clang-format off */
#define DGM_GAUSSIAN_OPTIONS                                                                    \
    { .name = "sigma", .type = DGM_OPT_REAL, .argument = "X", .fallback = "1", .low = 1e-6, \
      .high = 1e6, .help = "Standard deviation of the Gaussian, or window of fn=uniform" }, \
    { .name = "fn", .type = DGM_OPT_CHOICE, .argument = "NAME", .fallback = "normal",       \
      .choices = "normal|uniform",                                                          \
      .help = "Weight of a distance: Gaussian, or 1 inside a window and 0 outside" }
/* clang-format on */

static inline void dgm_attn_gaussian_read(struct dgm_attn_gaussian *bell,
                                          const struct dgm_settings *settings)
{
    bell->sigma = dgm_settings_real(settings, "sigma");
    bell->uniform = dgm_attn_chose(settings, "fn", "uniform");
    bell->norm_const = 1;
}

static inline double dgm_attn_gaussian_at(const struct dgm_attn_gaussian *bell, double distance)
{
    const double pi = 3.14159265358979323846;
    double x = distance / bell->sigma, g;

    if (bell->uniform)
        return fabs(distance) < bell->sigma + 1 ? 1 : 0;
    g = exp(-x * x / 2);
    return bell->norm_const ? g / sqrt(2 * pi * bell->sigma * bell->sigma) : g;
}

#endif
