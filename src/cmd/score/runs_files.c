/* runs_files.c: the files of `score --runs`, grouped. */
#include "cmd/score/runs_files.h"

#include <string.h>

#include "base/mem.h"
#include "base/option/inputs_apart.h"

/* ---- groups -------------------------------------------------------------------------------- */

static int is_between(const char *name)
{
    return strcmp(name, "+") == 0;
}

/* A run given twice would count twice. */
static dgm_status check_run(struct dgm_env *env, const struct dgm_runs_files *files,
                            const char *name)
{
    const size_t first = files->first[files->system_count - 1];
    if (strcmp(name, "-") == 0)
        return dgm_fail(env, DGM_USAGE, "--runs reads files; expected no - for standard input");
    for (size_t r = first; r < files->run_count; r++)
        if (strcmp(files->runs[r], name) == 0)
            return dgm_fail(env, DGM_USAGE,
                            "--runs: %s is named twice for one system; expected each run once",
                            name);
    return DGM_OK;
}

static dgm_status take_run(struct dgm_env *env, struct dgm_runs_files *files, const char *name)
{
    DGM_TRY(check_run(env, files, name));
    files->runs[files->run_count++] = name;
    files->counts[files->system_count - 1]++;
    return DGM_OK;
}

/* Begins the next system. */
static dgm_status begin(struct dgm_env *env, struct dgm_runs_files *files)
{
    if (files->system_count > 0 && files->counts[files->system_count - 1] == 0)
        return dgm_fail(env, DGM_USAGE,
                        "--runs: a + of --input has no file before it; expected runs of a system "
                        "on either side, as in A.1 A.2 + B.1 B.2");
    files->first[files->system_count++] = files->run_count;
    return DGM_OK;
}

static dgm_status group(const struct dgm_score *score, struct dgm_runs_files *files)
{
    struct dgm_env *env = score->cmd->env;
    DGM_TRY(begin(env, files));
    for (size_t i = 0; i < score->system_count; i++)
        DGM_TRY(is_between(score->systems[i]) ? begin(env, files)
                                              : take_run(env, files, score->systems[i]));
    if (files->counts[files->system_count - 1] == 0)
        return dgm_fail(env, DGM_USAGE,
                        "--runs: a + of --input has no file behind it; expected runs of a system "
                        "on either side, as in A.1 A.2 + B.1 B.2");
    return DGM_OK;
}

/* ---- sets ---------------------------------------------------------------------------------- */

static dgm_status check_sets(struct dgm_env *env, const struct dgm_runs_files *files)
{
    for (size_t s = 0; s < files->set_count; s++)
        for (size_t other = 0; other < s; other++)
            if (strcmp(files->sets[s], files->sets[other]) == 0)
                return dgm_fail(env, DGM_USAGE, "--sets: %s is named twice; expected each set once",
                                files->sets[s]);
    return DGM_OK;
}

/* One file for two sets would be counted twice. */
static dgm_status check_names(struct dgm_env *env, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(names[i], "{}") == NULL)
            return dgm_fail(env, DGM_USAGE,
                            "--sets: the name %s has no {}, in whose place the name of a set "
                            "comes; expected a file for each set, as in ref.{}.en",
                            names[i]);
    return DGM_OK;
}

static dgm_status read_sets(const struct dgm_score *score, struct dgm_runs_files *files)
{
    const struct dgm_settings *settings = &score->cmd->settings;
    struct dgm_env *env = score->cmd->env;
    files->set_count = dgm_settings_count(settings, "sets");
    if (files->set_count == 0) {
        files->set_count = 1;
        return DGM_OK;
    }
    DGM_TRY(dgm_new(env, &files->sets, files->set_count, sizeof *files->sets));
    for (size_t s = 0; s < files->set_count; s++)
        files->sets[s] = dgm_settings_item(settings, "sets", s);
    DGM_TRY(check_sets(env, files));
    DGM_TRY(check_names(env, files->runs, files->run_count));
    return check_names(env, score->references, score->reference_count);
}

dgm_status dgm_runs_files_group(const struct dgm_score *score, struct dgm_runs_files *files)
{
    struct dgm_env *env = score->cmd->env;
    const size_t most = score->system_count + 1;
    DGM_TRY(dgm_new(env, &files->runs, most, sizeof *files->runs));
    DGM_TRY(dgm_new(env, &files->first, most, sizeof *files->first));
    DGM_TRY(dgm_new(env, &files->counts, most, sizeof *files->counts));
    DGM_TRY(group(score, files));
    DGM_TRY(read_sets(score, files));
    DGM_TRY(dgm_new(env, &files->references, score->reference_count, sizeof *files->references));
    DGM_TRY(dgm_new(env, &files->paths, score->reference_count + 1, sizeof *files->paths));
    files->path_count = score->reference_count + 1;
    return DGM_OK;
}

/* ---- names --------------------------------------------------------------------------------- */

/* Puts the name of a set in the place of each {}. */
static dgm_status fill_in(struct dgm_env *env, struct dgm_buf *out, const char *name,
                          const char *set)
{
    const char *next;
    dgm_buf_reset(out);
    for (; set != NULL && (next = strstr(name, "{}")) != NULL; name = next + 2) {
        DGM_TRY(dgm_buf_add(env, out, name, (size_t)(next - name)));
        DGM_TRY(dgm_buf_add_text(env, out, set));
    }
    return dgm_buf_add_text(env, out, name);
}

dgm_status dgm_runs_files_of(const struct dgm_score *score, struct dgm_runs_files *files,
                             size_t run, size_t set, const char **path)
{
    const char *output = dgm_settings_text(&score->cmd->settings, "output");
    const char *name = files->sets != NULL ? files->sets[set] : NULL;
    struct dgm_env *env = score->cmd->env;
    for (size_t r = 0; r < score->reference_count; r++) {
        DGM_TRY(fill_in(env, &files->paths[r + 1], score->references[r], name));
        files->references[r] = files->paths[r + 1].data;
    }
    DGM_TRY(fill_in(env, &files->paths[0], files->runs[run], name));
    *path = files->paths[0].data;
    DGM_TRY(dgm_inputs_apart_check_one(env, output, path, 1));
    return dgm_inputs_apart_check_one(env, output, files->references, score->reference_count);
}

void dgm_runs_files_clear(struct dgm_env *env, struct dgm_runs_files *files)
{
    for (size_t i = 0; i < files->path_count; i++)
        dgm_buf_clear(env, &files->paths[i]);
    dgm_release(env, files->paths);
    dgm_release(env, files->references);
    dgm_release(env, files->sets);
    dgm_release(env, files->counts);
    dgm_release(env, files->first);
    dgm_release(env, files->runs);
}
