/* cmd_split.c: `split`: a parallel corpus in parts for training, development and testing. */
#include <string.h>

#include "base/mem.h"
#include "cmd/text/in_step.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_TREES_ALONG,
    { .name = "train", .type = DGM_OPT_OUTPUTS, .argument = "FILE...",
      .help = "Write the pairs for training to these files, one for each text, then for each file "
              "of --trees; without this option, --dev and --test pairs are only counted" },
    { .name = "dev", .type = DGM_OPT_OUTPUTS, .argument = "FILE...", .aliases = "valid",
      .help = "The same for development (validation)", .needs = "!dev-size" },
    { .name = "test", .type = DGM_OPT_OUTPUTS, .argument = "FILE...",
      .help = "The same for testing", .needs = "!test-size" },
    { .name = "dev-size", .type = DGM_OPT_TEXT, .argument = "SIZE", .aliases = "valid-size",
      .help = "Pairs for development: a number of them (2000), or a share (1%)" },
    { .name = "test-size", .type = DGM_OPT_TEXT, .argument = "SIZE",
      .help = "Pairs for testing, likewise" },
    { .name = "by", .type = DGM_OPT_CHOICE, .argument = "WHAT", .fallback = "source",
      .choices = "source|target|pair",
      .help = "Pairs in which this is the same are never in two parts" },
    { .name = "seed", .type = DGM_OPT_INT, .argument = "N", .fallback = "0", .low = 0,
      .high = 9e15, .help = "Another number draws other pairs" },
    DGM_OPT_END
};
/* clang-format on */

/* By dgm_split_part. */
static const char *const part_names[DGM_SPLIT_COUNT] = { "train", "dev", "test" };

struct splitting {
    struct dgm_cmd *cmd;
    dgm_splitter *splitter;
    struct dgm_in_step step;
    struct dgm_writer *writers; /* of all parts */
    const char **paths;
    size_t writer_count;
    struct dgm_writer *parts[DGM_SPLIT_COUNT]; /* the first of a part; NULL: it is not written */
    long counts[DGM_SPLIT_COUNT];
    long counted; /* pairs of the first pass */
};

/* ---- options --------------------------------------------------------------------------------- */

/* A size without files would make pairs vanish, where --train names files for the others. */
static dgm_status check_part(struct dgm_cmd *cmd, const char *files, const char *size)
{
    const struct dgm_settings *settings = &cmd->settings;
    const int has_files = dgm_settings_count(settings, files) > 0;
    const int has_size = dgm_settings_text(settings, size) != NULL;

    DGM_TRY(dgm_in_step_check_outputs(cmd, files));
    if (has_size && !has_files && dgm_settings_count(settings, "train") > 0)
        return dgm_fail(cmd->env, DGM_USAGE,
                        "--%s without --%s; expected its files, or these pairs would be in none",
                        size, files);
    return DGM_OK;
}

static dgm_status check_options(struct dgm_cmd *cmd)
{
    DGM_TRY(dgm_in_step_check_outputs(cmd, "train"));
    DGM_TRY(check_part(cmd, "dev", "dev-size"));
    DGM_TRY(check_part(cmd, "test", "test-size"));
    if (dgm_settings_text(&cmd->settings, "dev-size") == NULL &&
        dgm_settings_text(&cmd->settings, "test-size") == NULL)
        return dgm_fail(cmd->env, DGM_USAGE,
                        "nothing to split off; expected --dev-size, --test-size or both, such as "
                        "2000 or 1%%");
    return DGM_OK;
}

static dgm_status make_splitter(struct splitting *split)
{
    const struct dgm_settings *settings = &split->cmd->settings;
    dgm_splitter_options chosen = { .struct_size = sizeof chosen };

    chosen.sides = split->cmd->argument_count > 1 ? 2 : 1;
    chosen.dev = dgm_settings_text(settings, "dev-size");
    chosen.test = dgm_settings_text(settings, "test-size");
    chosen.by = dgm_settings_text(settings, "by");
    chosen.seed = (uint64_t)dgm_settings_int(settings, "seed");
    return dgm_splitter_new(split->cmd->context, &chosen, &split->splitter);
}

/* ---- outputs --------------------------------------------------------------------------------- */

static void list_outputs(struct splitting *split)
{
    const struct dgm_settings *settings = &split->cmd->settings;
    int part;

    for (part = 0; part < DGM_SPLIT_COUNT; part++) {
        const size_t count = dgm_settings_count(settings, part_names[part]);
        size_t i;

        split->parts[part] = count > 0 ? &split->writers[split->writer_count] : NULL;
        for (i = 0; i < count; i++)
            split->paths[split->writer_count++] = dgm_settings_item(settings, part_names[part], i);
    }
}

static dgm_status open_outputs(struct splitting *split)
{
    const size_t most = DGM_SPLIT_COUNT * split->step.count;
    struct dgm_env *env = split->cmd->env;

    DGM_TRY(dgm_new(env, &split->writers, most, sizeof *split->writers));
    DGM_TRY(dgm_new(env, &split->paths, most, sizeof *split->paths));
    list_outputs(split);
    return dgm_cmd_open_outputs(env, split->writers, split->paths, split->writer_count);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Sets *more to 0 behind the last pair. */
static dgm_status next_pair(struct splitting *split, struct dgm_buf pair[2], int *more)
{
    struct dgm_env *env = split->cmd->env;
    size_t side;

    DGM_TRY(dgm_in_step_next(env, &split->step, more));
    DGM_TRY(dgm_in_step_check_whole(env, &split->step));
    memset(pair, 0, 2 * sizeof *pair);
    for (side = 0; side < 2; side++)
        if (dgm_in_step_line(&split->step, side) != NULL)
            pair[side] = *dgm_in_step_line(&split->step, side);
    return DGM_OK;
}

static dgm_status count_pairs(struct splitting *split)
{
    struct dgm_env *env = split->cmd->env;
    struct dgm_buf pair[2];
    int more;

    DGM_TRY(dgm_in_step_open(split->cmd, &split->step));
    for (;;) {
        DGM_TRY(next_pair(split, pair, &more));
        if (!more)
            break;
        DGM_TRY(dgm_splitter_count(split->splitter, pair[0].data, pair[0].size, pair[1].data,
                                   pair[1].size));
    }
    split->counted = split->step.number;
    dgm_in_step_close(env, &split->step);
    return DGM_OK;
}

/* The first pass, which needs files that can be read again. */
static dgm_status find_sizes(struct splitting *split)
{
    struct dgm_cmd *cmd = split->cmd;

    if (!dgm_splitter_counts(split->splitter))
        return DGM_OK;
    DGM_TRY(dgm_in_step_check_files(
        cmd, "--dev-size and --test-size in pairs need two passes; expected files, or shares "
             "such as 1%"));
    return count_pairs(split);
}

/* The sizes are those of the text that was counted. */
static dgm_status check_count(const struct splitting *split)
{
    if (!dgm_splitter_counts(split->splitter) || split->counted == split->step.number)
        return DGM_OK;
    return dgm_fail(split->cmd->env, DGM_DATA,
                    "%s: %ld lines now, %ld when they were counted; expected a file that does not "
                    "change",
                    split->step.files[0].lines.path, split->step.number, split->counted);
}

static dgm_status split_pairs(struct splitting *split)
{
    struct dgm_env *env = split->cmd->env;
    struct dgm_buf pair[2];

    for (;;) {
        dgm_split_part part;
        int more;

        DGM_TRY(next_pair(split, pair, &more));
        if (!more)
            return check_count(split);
        DGM_TRY(dgm_splitter_part(split->splitter, pair[0].data, pair[0].size, pair[1].data,
                                  pair[1].size, &part));
        split->counts[part]++;
        if (split->parts[part] != NULL)
            DGM_TRY(dgm_in_step_write(env, &split->step, split->parts[part]));
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

static int is_asked(const struct splitting *split, int part)
{
    const struct dgm_settings *settings = &split->cmd->settings;

    return part == DGM_SPLIT_TRAIN ||
           dgm_settings_text(settings, part == DGM_SPLIT_DEV ? "dev-size" : "test-size") != NULL;
}

static void tell(const struct splitting *split)
{
    struct dgm_env *env = split->cmd->env;
    int part;

    for (part = 0; part < DGM_SPLIT_COUNT; part++) {
        if (!is_asked(split, part))
            continue;
        dgm_log(env, DGM_LOG_NOTE, "%10ld %s", split->counts[part], part_names[part]);
        if (split->counts[part] == 0)
            dgm_log(env, DGM_LOG_WARNING, "%s has no pair", part_names[part]);
    }
}

static dgm_status split_corpus(struct splitting *split)
{
    struct dgm_cmd *cmd = split->cmd;
    dgm_status status;

    DGM_TRY(check_options(cmd));
    DGM_TRY(make_splitter(split));
    DGM_TRY(find_sizes(split));
    DGM_TRY(dgm_in_step_open(cmd, &split->step));
    DGM_TRY(open_outputs(split));
    status = split_pairs(split);
    DGM_TRY(dgm_cmd_close_outputs(cmd->env, split->writers, split->writer_count, status));
    tell(split);
    return DGM_OK;
}

static dgm_status run(struct dgm_cmd *cmd)
{
    struct splitting split = { .cmd = cmd };
    dgm_status status;

    status = split_corpus(&split);
    dgm_in_step_close(cmd->env, &split.step);
    dgm_splitter_free(split.splitter);
    dgm_release(cmd->env, split.writers);
    dgm_release(cmd->env, split.paths);
    return status;
}

const struct dgm_command dgm_command_split = {
    .name = "split",
    .summary = "Split a parallel corpus into parts for training, development and testing",
    .usage =
        "[OPTION]... SOURCE [TARGET [FILE...]] [--train OUT...] [--dev OUT...] [--test OUT...]",
    .example = "dragoman split en de --train t.en t.de --dev d.en d.de --dev-size 99",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run,
};
