/* sent.c: what this rank of a training run has sent, by kind. */
#include "train/step/exchange/sent.h"

#include <string.h>

#include "base/number/number.h"

const char *dgm_sent_name(enum dgm_sent_kind kind)
{
    static const char *const names[DGM_SENT_KINDS] = {
        [DGM_SENT_GRADIENTS] = "gradients",
        [DGM_SENT_VALUES] = "values",
        [DGM_SENT_CONTROL] = "control",
        [DGM_SENT_BESIDE] = "beside",
    };

    return names[kind];
}

void dgm_sent_note(struct dgm_sent *sent, const struct dgm_ranks *ranks, enum dgm_sent_kind kind)
{
    sent->kinds[kind].bytes += ranks->sent.bytes - sent->noted.bytes;
    sent->kinds[kind].messages += ranks->sent.messages - sent->noted.messages;
    sent->noted = ranks->sent;
}

void dgm_sent_end_update(struct dgm_sent *sent, const struct dgm_ranks *ranks)
{
    dgm_sent_note(sent, ranks, DGM_SENT_CONTROL);
    sent->updates++;
}

int dgm_sent_since(struct dgm_sent *sent, double bytes[DGM_SENT_BESIDE])
{
    const int64_t updates = sent->updates - sent->shown_updates;

    for (int k = 0; k < DGM_SENT_BESIDE && updates > 0; k++)
        bytes[k] = (double)(sent->kinds[k].bytes - sent->shown[k].bytes) / (double)updates;
    memcpy(sent->shown, sent->kinds, sizeof sent->shown);
    sent->shown_updates = sent->updates;
    return updates > 0;
}

/* Of all updates; whole where each has sent the same. */
static const char *print_mean(char out[32], uint64_t sum, int64_t updates)
{
    return dgm_number_fixed(out, (double)sum / (double)updates, sum % (uint64_t)updates != 0);
}

void dgm_sent_log(struct dgm_env *env, const struct dgm_sent *sent)
{
    const struct dgm_traffic *kinds = sent->kinds;
    uint64_t messages = 0;
    char means[DGM_SENT_BESIDE][32], count[32];

    if (sent->updates == 0)
        return;
    for (int k = 0; k < DGM_SENT_BESIDE; k++) {
        print_mean(means[k], kinds[k].bytes, sent->updates);
        messages += kinds[k].messages;
    }
    print_mean(count, messages, sent->updates);
    dgm_log(env, DGM_LOG_NOTE,
            "ranks: bytes that rank 0 has sent in an update: %s of gradients, %s of values, %s of "
            "control, in %s messages; between updates %llu",
            means[DGM_SENT_GRADIENTS], means[DGM_SENT_VALUES], means[DGM_SENT_CONTROL], count,
            (unsigned long long)kinds[DGM_SENT_BESIDE].bytes);
}
