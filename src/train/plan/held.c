/* held.c: the memory of the process, without what is trained. */
#include "train/plan/held.h"

#include "base/system/usage.h"

double dgm_held_besides(const struct dgm_settings *settings, const struct dgm_windows *windows,
                        const struct dgm_need *need)
{
    double held = (double)dgm_usage_now();

    if (!dgm_settings_flag(settings, "dry-run"))
        held -= need->weights + need->moments + need->mean + need->copies;
    if (held < 0) /* they lie elsewhere */
        held = 0;
    return held + (double)dgm_windows_spare(windows);
}
