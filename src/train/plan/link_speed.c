/* link_speed.c: "100Gbit,2us" as numbers. */
#include "train/plan/link_speed.h"

#include <string.h>

#include "base/number/number.h"

struct unit {
    const char *name;
    double scale;
};

/* The number before one of these units, which is all of the `length` bytes. */
static int read_part(const char *text, size_t length, const struct unit *units, double *out)
{
    const size_t number = strspn(text, "0123456789.");
    double value;

    if (number >= length || !dgm_number_real(&value, text, number))
        return 0;
    for (; units->name != NULL; units++)
        if (strlen(units->name) == length - number &&
            memcmp(units->name, text + number, length - number) == 0) {
            *out = value * units->scale;
            return 1;
        }
    return 0;
}

static int read_rate(const char *text, size_t length, double *out)
{
    static const struct unit units[] = { { "bit", 1.0 / 8 },   { "Kbit", 1e3 / 8 },
                                         { "Mbit", 1e6 / 8 },  { "Gbit", 1e9 / 8 },
                                         { "Tbit", 1e12 / 8 }, { NULL, 0 } };

    return read_part(text, length, units, out) && *out > 0;
}

static int read_time(const char *text, size_t length, double *out)
{
    static const struct unit units[] = {
        { "ns", 1e-9 }, { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 }, { NULL, 0 }
    };

    return read_part(text, length, units, out);
}

int dgm_link_speed_read(const char *text, struct dgm_link_speed *out)
{
    struct dgm_link_speed speed;
    size_t length = strcspn(text, ",");

    if (text[length] == '\0' || !read_rate(text, length, &speed.rate))
        return 0;
    text += length + 1;
    length = strcspn(text, ",");
    if (!read_time(text, length, &speed.latency))
        return 0;
    speed.message = speed.latency < DGM_LINK_MESSAGE ? speed.latency : DGM_LINK_MESSAGE;
    if (text[length] == ',' &&
        !read_time(text + length + 1, strlen(text + length + 1), &speed.message))
        return 0;
    *out = speed;
    return 1;
}
