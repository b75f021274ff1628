/*
 * treebanks.c: which treebank each file of train-parser is of, and what a file lacks.
 */
#include "train/parsing/treebanks.h"

#include <string.h>

#include "data/tree/treebank_names.h"

static const char train_names[] = "treebanks", valid_names[] = "valid-treebanks";

/* The option table lets only names of policies pass. */
enum dgm_multi_root dgm_parsing_multi_root(const struct dgm_settings *settings)
{
    const char *name = dgm_settings_text(settings, "multi-root");
    int policy = 0;

    while (policy < DGM_MULTI_ROOTS - 1 && strcmp(dgm_multi_root_names[policy], name) != 0)
        policy++;
    return (enum dgm_multi_root)policy;
}

/* ---- names ----------------------------------------------------------------------------------- */

static dgm_status check_count(const struct dgm_run *run, const char *option, const char *files)
{
    const size_t names = dgm_settings_count(run->settings, option);
    const size_t count = dgm_settings_count(run->settings, files);

    if (names == 0 || names == count)
        return DGM_OK;
    return dgm_fail(run->env, DGM_USAGE,
                    "--%s has %zu name%s for %zu file%s of --%s; expected one for each", option,
                    names, names == 1 ? "" : "s", count, count == 1 ? "" : "s", files);
}

/* A score of trees that imitate another treebank would say nothing, and nobody would see it. */
static dgm_status check_valid(const struct dgm_run *run, const struct dgm_vocab *names)
{
    const struct dgm_settings *s = run->settings;
    const size_t count = dgm_settings_count(s, valid_names);
    char list[DGM_TREEBANK_NAMES_SIZE];
    int32_t treebank;

    DGM_TRY(check_count(run, valid_names, "valid-sets"));
    for (size_t i = 0; i < count; i++)
        DGM_TRY(dgm_treebank_names_find(run->env, names, dgm_settings_item(s, valid_names, i),
                                        DGM_USAGE, "--valid-treebanks", &treebank));
    if (count > 0 || dgm_settings_count(s, "valid-sets") == 0 || dgm_lexicon_classes(names) == 1)
        return DGM_OK;
    return dgm_fail(run->env, DGM_USAGE,
                    "--treebanks without --valid-treebanks; expected one of %s for each file of "
                    "--valid-sets, which is parsed as that treebank annotates",
                    dgm_treebank_names_join(list, names));
}

dgm_status dgm_parsing_treebanks_check(const struct dgm_run *run)
{
    const struct dgm_settings *s = run->settings;
    struct dgm_vocab names;
    dgm_status status;

    if (dgm_settings_count(s, train_names) == 0)
        return DGM_OK;
    DGM_TRY(check_count(run, train_names, "train-sets"));
    status = dgm_parsing_treebanks_read(run, &names);
    if (status == DGM_OK)
        status = check_valid(run, &names);
    dgm_vocab_clear(run->env, &names);
    return status;
}

dgm_status dgm_parsing_treebanks_read(const struct dgm_run *run, struct dgm_vocab *names)
{
    const struct dgm_settings *s = run->settings;
    dgm_status status = DGM_OK;

    memset(names, 0, sizeof *names);
    for (size_t i = 0; i < dgm_settings_count(s, train_names) && status == DGM_OK; i++)
        status = dgm_treebank_names_add(run->env, names, dgm_settings_item(s, train_names, i),
                                        train_names);
    return status;
}

dgm_status dgm_parsing_treebanks_compare(const struct dgm_run *run, const char *folder,
                                         const struct dgm_vocab *saved)
{
    char list[DGM_TREEBANK_NAMES_SIZE];
    struct dgm_vocab names;
    dgm_status status = dgm_parsing_treebanks_read(run, &names);

    if (status == DGM_OK && !dgm_vocab_same(&names, saved))
        status = dgm_fail_at(run->env, DGM_USAGE, folder, 0, 0,
                             "checkpoints were trained with%s --treebanks%s%s. Try the old "
                             "setting, --overwrite, or another --model",
                             dgm_vocab_size(saved) == 0 ? "out" : "",
                             dgm_vocab_size(saved) == 0 ? "" : " that are called ",
                             dgm_treebank_names_join(list, saved));
    dgm_vocab_clear(run->env, &names);
    return status;
}

dgm_status dgm_parsing_treebanks_of(const struct dgm_run *run, const char *option, size_t i,
                                    const struct dgm_vocab *names, int32_t *treebank)
{
    const struct dgm_settings *s = run->settings;
    const char *list = strcmp(option, "train-sets") == 0 ? train_names : valid_names;

    *treebank = 0; /* without names, or with a single one */
    if (dgm_vocab_size(names) == 0 || dgm_settings_count(s, list) == 0)
        return DGM_OK;
    return dgm_treebank_names_find(run->env, names, dgm_settings_item(s, list, i), DGM_USAGE,
                                   "a treebank", treebank);
}

void dgm_parsing_treebanks_tell(const struct dgm_run *run, const char *option,
                                const struct dgm_vocab *names, const struct dgm_treebank *bank)
{
    for (uint32_t t = DGM_VOCAB_SPECIALS; t < dgm_vocab_size(names); t++) {
        int count = 0;

        for (int32_t i = 0; i < bank->rows.count; i++)
            count += bank->origins[i] == (int32_t)t - DGM_VOCAB_SPECIALS;
        if (count > 0)
            dgm_log(run->env, DGM_LOG_NOTE, "%s: %d sentences of treebank %s", option, count,
                    dgm_vocab_token(names, t, NULL));
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Whether some word of rows `row` and behind has something in a column. */
static int is_given(const struct dgm_lexicon *lexicon, const struct dgm_treebank *bank, int morph,
                    int32_t row)
{
    const int32_t end = bank->rows.offsets[bank->rows.count];
    const int32_t none = morph == DGM_MORPH_FEATS
                             ? dgm_lexicon_class(&lexicon->morphs[DGM_MORPH_FEATS], "_")
                             : DGM_MORPH_OPEN;

    for (; row < end; row++)
        if (bank->morphs[morph][row] != DGM_MORPH_OPEN && bank->morphs[morph][row] != none)
            return 1;
    return 0;
}

static void settle_feats(const struct dgm_run *run, struct dgm_treebank *bank, int32_t row,
                         const char *path)
{
    const int32_t end = bank->rows.offsets[bank->rows.count];

    if (bank->origins == NULL) {
        dgm_log(run->env, DGM_LOG_WARNING,
                "%s: no word has features: it teaches that words have none. --treebanks would "
                "leave them to the other files",
                path);
        return;
    }
    for (; row < end; row++)
        bank->morphs[DGM_MORPH_FEATS][row] = DGM_MORPH_OPEN;
}

void dgm_parsing_treebanks_settle(const struct dgm_run *run, const struct dgm_lexicon *lexicon,
                                  struct dgm_treebank *bank, int32_t first, const char *path)
{
    int32_t row;

    if (bank->rows.count <= first)
        return;
    row = bank->rows.offsets[first];
    for (int m = 0; m < DGM_MORPHS; m++) {
        if (!dgm_lexicon_has(lexicon, (enum dgm_morph)m) || is_given(lexicon, bank, m, row))
            continue;
        if (m == DGM_MORPH_FEATS)
            settle_feats(run, bank, row, path);
        if (m != DGM_MORPH_FEATS || bank->origins != NULL)
            dgm_log(run->env, DGM_LOG_NOTE,
                    "%s: no word has anything in the %s column: learned from the other files", path,
                    dgm_morph_titles[m]);
    }
}
