/* shard.c: --shard I/N: every N-th line or sentence of the input. */
#include "cmd/shard.h"

#include <string.h>

#include "base/number/number.h"

enum { MOST_SHARDS = 1000000 };

static int reads_as_shard(const char *text, int64_t *number, int64_t *count)
{
    const size_t length = strcspn(text, "/");

    return text[length] == '/' && dgm_number_int(number, text, length) &&
           dgm_number_int(count, text + length + 1, strlen(text + length + 1)) && *number >= 1 &&
           *number <= *count && *count <= MOST_SHARDS;
}

dgm_status dgm_cmd_read_shard(struct dgm_cmd *cmd, struct dgm_cmd_shard *shard)
{
    const char *text = dgm_settings_text(&cmd->settings, "shard");
    char quoted[DGM_QUOTE_SIZE];
    int64_t number, count;

    shard->first = 0;
    shard->step = 1;
    if (text == NULL)
        return DGM_OK;
    if (!reads_as_shard(text, &number, &count)) {
        dgm_quote(quoted, sizeof quoted, text, strlen(text));
        return dgm_fail(cmd->env, DGM_USAGE,
                        "--shard: expected I/N with I from 1 to N and N up to %d, as in 1/8 to "
                        "8/8, got \"%s\"",
                        MOST_SHARDS, quoted);
    }
    shard->first = (long)number - 1;
    shard->step = (long)count;
    return DGM_OK;
}
