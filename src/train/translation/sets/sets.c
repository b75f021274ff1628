/*
 * sets.c: the texts of a run, from options and from a file that lists them.
 */
#include "train/translation/sets/sets.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/option/inputs_apart.h"
#include "train/translation/sets/mixture.h"

int dgm_sets_are_named(const struct dgm_settings *settings)
{
    return dgm_settings_count(settings, "train-sets") > 0 ||
           dgm_settings_text(settings, "train-list") != NULL;
}

enum dgm_bad_line dgm_sets_on_bad(const struct dgm_settings *settings)
{
    const char *what = dgm_settings_text(settings, "on-bad-line");

    return strcmp(what, "skip") == 0      ? DGM_BAD_LINE_SKIP
           : strcmp(what, "replace") == 0 ? DGM_BAD_LINE_REPLACE
                                          : DGM_BAD_LINE_ERROR;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Texts of --train-sets, --valid-sets: two files each, or one that holds both sides. */
static dgm_status add_named(const struct dgm_run *run, struct dgm_text_list *texts,
                            const char *option)
{
    const struct dgm_settings *settings = run->settings;
    const int is_tsv = dgm_settings_flag(settings, "tsv");
    const size_t files = is_tsv ? 1 : 2, count = dgm_settings_count(settings, option);

    if (count % files != 0)
        return dgm_fail(run->env, DGM_USAGE,
                        "--%s names %zu file%s; expected two for each text, source and target, or "
                        "--tsv, where one holds both",
                        option, count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i += files)
        DGM_TRY(dgm_text_list_add(run->env, texts, dgm_settings_item(settings, option, i),
                                  is_tsv ? NULL : dgm_settings_item(settings, option, i + 1)));
    return DGM_OK;
}

/* The command line alone does not show that an output is one of these files. */
static dgm_status check_outputs(const struct dgm_run *run, const struct dgm_text_list *texts)
{
    const struct dgm_settings *settings = run->settings;

    for (size_t o = 0; o < settings->count; o++) {
        const struct dgm_setting *output = &settings->items[o];

        if (output->opt->type != DGM_OPT_OUTPUT || output->value == NULL ||
            dgm_opt_is_word(output->opt, output->value))
            continue;
        for (size_t i = 0; i < texts->count; i++)
            DGM_TRY(dgm_inputs_apart_check_one(run->env, output->value, texts->items[i].path,
                                               texts->items[i].path[DGM_TARGET] != NULL ? 2 : 1));
    }
    return DGM_OK;
}

static dgm_status add_listed(const struct dgm_run *run, struct dgm_text_list *texts)
{
    const struct dgm_settings *settings = run->settings;
    const char *list = dgm_settings_text(settings, "train-list");

    DGM_TRY(dgm_text_list_read(run->env, texts, list, dgm_settings_flag(settings, "tsv")));
    return check_outputs(run, texts);
}

/* ---- what goes with them --------------------------------------------------------------------- */

/* DGM_USAGE unless an option that is set has one value for each text. */
static dgm_status check_count(const struct dgm_run *run, const char *option, size_t count,
                              const struct dgm_text_list *texts)
{
    if (count == 0 || count == texts->count)
        return DGM_OK;
    return dgm_fail(run->env, DGM_USAGE,
                    "--%s has %zu value%s for %zu text%s; expected one for each", option, count,
                    count == 1 ? "" : "s", texts->count, texts->count == 1 ? "" : "s");
}

/* Of text i; NULL: none, which the option has a word for. */
static const char *value_of(const struct dgm_run *run, const char *option, size_t i)
{
    const char *value = dgm_settings_item(run->settings, option, i);

    return strcmp(value, "none") != 0 ? value : NULL;
}

/* A tag for each text, of which "none" is none. */
static dgm_status take_tags(const struct dgm_run *run, struct dgm_text_list *texts,
                            const char *option)
{
    const size_t count = dgm_settings_count(run->settings, option);

    DGM_TRY(check_count(run, option, count, texts));
    for (size_t i = 0; i < count; i++) {
        if (texts->items[i].tag != NULL)
            return dgm_fail(run->env, DGM_USAGE,
                            "--%s and --train-list both have tags; expected one of them", option);
        texts->items[i].tag = value_of(run, option, i);
    }
    return DGM_OK;
}

static int has_tag(const struct dgm_text_list *texts, const char *tag)
{
    for (size_t i = 0; i < texts->count; i++)
        if (texts->items[i].tag != NULL && (tag == NULL || strcmp(texts->items[i].tag, tag) == 0))
            return 1;
    return 0;
}

/* Scores of lines without the tags that a model has learned would say little of it. */
static dgm_status check_valid_tags(const struct dgm_run *run, const struct dgm_sets *sets)
{
    const struct dgm_text_list *texts = &sets->valid_texts;

    if (texts->count > 0 && has_tag(&sets->texts, NULL) &&
        dgm_settings_count(run->settings, "valid-tags") == 0)
        return dgm_fail(run->env, DGM_USAGE,
                        "training texts have tags; expected --valid-tags with one of them, or "
                        "none, for each validation text");
    for (size_t i = 0; i < texts->count; i++)
        if (texts->items[i].tag != NULL && !has_tag(&sets->texts, texts->items[i].tag))
            return dgm_fail(run->env, DGM_USAGE,
                            "--valid-tags: %s is the tag of no training text; expected one of "
                            "theirs, or none",
                            texts->items[i].tag);
    return DGM_OK;
}

/* How many files an option names for texts; a single "none" is that of all texts. */
static size_t count_files(const struct dgm_run *run, const char *option)
{
    const size_t count = dgm_settings_count(run->settings, option);

    return count == 1 && value_of(run, option, 0) == NULL ? 0 : count;
}

static dgm_status take_trees(const struct dgm_run *run, struct dgm_text_list *texts,
                             const char *option, int side)
{
    const size_t count = count_files(run, option);

    DGM_TRY(check_count(run, option, count, texts));
    for (size_t i = 0; i < count; i++)
        texts->items[i].trees[side] = value_of(run, option, i);
    return DGM_OK;
}

static dgm_status take_weights(const struct dgm_run *run, struct dgm_text_list *texts)
{
    static const char option[] = "sentence-weights";
    const size_t count = count_files(run, option);

    DGM_TRY(check_count(run, option, count, texts));
    for (size_t i = 0; i < count; i++)
        texts->items[i].weights = value_of(run, option, i);
    return DGM_OK;
}

/* Links are between words, which must be those that the model sees: what to do instead is more than
 * a rule of a row could say. */
static dgm_status check_links(const struct dgm_run *run)
{
    const struct dgm_settings *settings = run->settings;

    if (strcmp(dgm_settings_text(settings, "tokenize"), "moses") == 0)
        return dgm_fail(run->env, DGM_USAGE,
                        "--guided-alignment with --tokenize moses, which makes other words of a "
                        "line than those between blanks; expected text that dragoman tok has "
                        "made, aligned as it is, and --tokenize none, or --tokenize spm");
    if (dgm_settings_flag(settings, "normalize-punctuation"))
        return dgm_fail(run->env, DGM_USAGE,
                        "--guided-alignment with --normalize-punctuation, which makes other words "
                        "of a line than those that were aligned; expected text that dragoman tok "
                        "--normalize has made, aligned as it is");
    return DGM_OK;
}

static dgm_status take_links(const struct dgm_run *run, struct dgm_sets *sets,
                             struct dgm_text_list *texts)
{
    static const char option[] = "guided-alignment";
    const struct dgm_settings *settings = run->settings;
    const size_t count = count_files(run, option);

    if (count > 0)
        DGM_TRY(check_links(run));
    DGM_TRY(check_count(run, option, count, texts));
    for (size_t i = 0; i < count; i++) {
        texts->items[i].links = value_of(run, option, i);
        if (texts->items[i].links != NULL)
            sets->guide = dgm_settings_is_set(settings, "guided-alignment-weight")
                              ? dgm_settings_real(settings, "guided-alignment-weight")
                              : 0.1; /* Marian's */
    }
    return DGM_OK;
}

static dgm_status take_training(const struct dgm_run *run, struct dgm_sets *sets)
{
    struct dgm_text_list *texts = &sets->texts;

    DGM_TRY(dgm_settings_text(run->settings, "train-list") != NULL
                ? add_listed(run, texts)
                : add_named(run, texts, "train-sets"));
    if (texts->count == 0)
        return dgm_fail(run->env, DGM_USAGE,
                        "no training text; expected --train-sets SRC TRG, or --train-list FILE");
    if (texts->count > 1 && dgm_settings_flag(run->settings, "multitask"))
        return dgm_fail(run->env, DGM_USAGE,
                        "--multitask learns from one training text, and %zu are named",
                        texts->count);
    DGM_TRY(dgm_sets_mixture_read(run, sets));
    DGM_TRY(take_tags(run, texts, "train-tags"));
    if (has_tag(texts, NULL) && dgm_settings_flag(run->settings, "multitask"))
        return dgm_fail(run->env, DGM_USAGE, "--multitask learns from a text without a tag");
    DGM_TRY(take_weights(run, texts));
    DGM_TRY(take_links(run, sets, texts));
    DGM_TRY(take_trees(run, texts, "train-trees", DGM_SOURCE));
    return take_trees(run, texts, "train-target-trees", DGM_TARGET);
}

/* ---- validation ------------------------------------------------------------------------------ */

/* Names stand in log lines and in JSON as they are. */
static dgm_status check_name(const struct dgm_run *run, const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "._+-";

    if (name[strspn(name, allowed)] == '\0')
        return DGM_OK;
    return dgm_fail(run->env, DGM_USAGE,
                    "--valid-names: \"%s\"; expected letters, digits and . _ + -", name);
}

static void number_sets(struct dgm_sets *sets)
{
    for (size_t i = 0; i < sets->valid_texts.count; i++) {
        struct dgm_valid_set *set = &sets->valid_sets[i];

        snprintf(set->number, sizeof set->number, "%zu", i + 1);
        set->name = set->number;
    }
}

static dgm_status name_sets(const struct dgm_run *run, struct dgm_sets *sets)
{
    const struct dgm_settings *settings = run->settings;

    DGM_TRY(check_count(run, "valid-names", dgm_settings_count(settings, "valid-names"),
                        &sets->valid_texts));
    if (sets->valid_texts.count > 1)
        number_sets(sets);
    for (size_t i = 0; i < dgm_settings_count(settings, "valid-names"); i++) {
        sets->valid_sets[i].name = dgm_settings_item(settings, "valid-names", i);
        DGM_TRY(check_name(run, sets->valid_sets[i].name));
        for (size_t k = 0; k < i; k++)
            if (strcmp(sets->valid_sets[k].name, sets->valid_sets[i].name) == 0)
                return dgm_fail(run->env, DGM_USAGE,
                                "--valid-names: \"%s\" stands there twice; expected each once",
                                sets->valid_sets[i].name);
    }
    return DGM_OK;
}

static dgm_status take_validation(const struct dgm_run *run, struct dgm_sets *sets)
{
    struct dgm_text_list *texts = &sets->valid_texts;

    DGM_TRY(add_named(run, texts, "valid-sets"));
    DGM_TRY(take_tags(run, texts, "valid-tags"));
    DGM_TRY(check_valid_tags(run, sets));
    DGM_TRY(take_trees(run, texts, "valid-trees", DGM_SOURCE));
    DGM_TRY(dgm_new(run->env, &sets->valid_sets, texts->count, sizeof *sets->valid_sets));
    for (size_t i = 0; i < texts->count; i++) {
        sets->valid_sets[i].text.items = &texts->items[i];
        sets->valid_sets[i].text.count = 1;
    }
    return name_sets(run, sets);
}

dgm_status dgm_sets_read(const struct dgm_run *run, struct dgm_sets *sets)
{
    DGM_TRY(take_training(run, sets));
    return take_validation(run, sets);
}

dgm_status dgm_sets_check(const struct dgm_run *run, const struct dgm_sets *sets)
{
    DGM_TRY(dgm_text_list_check(run->env, &sets->texts));
    return dgm_text_list_check(run->env, &sets->valid_texts);
}

double dgm_sets_bytes(const struct dgm_sets *sets)
{
    double bytes = dgm_corpus_bytes(&sets->sample);

    for (size_t i = 0; i < sets->valid_texts.count && sets->valid_sets != NULL; i++)
        bytes += dgm_corpus_bytes(&sets->valid_sets[i].corpus);
    if (sets->has_parser)
        bytes += (double)sets->parser.net.params.total * sizeof(dgm_real) +
                 dgm_lexicon_bytes(&sets->parser.lexicon);
    return 2 * bytes + (sets->cache.is_open ? 1 : 2) * dgm_corpus_bytes(&sets->train);
}

void dgm_sets_clear(struct dgm_env *env, struct dgm_sets *sets)
{
    dgm_corpus_clear(env, &sets->train);
    dgm_slots_clear(env, &sets->slots);
    dgm_augment_clear(env, &sets->augment);
    dgm_resample_clear(env, &sets->resample);
    for (size_t i = 0; sets->valid_sets != NULL && i < sets->valid_texts.count; i++)
        dgm_corpus_clear(env, &sets->valid_sets[i].corpus);
    dgm_release(env, sets->valid_sets);
    dgm_text_list_clear(env, &sets->valid_texts);
    dgm_text_list_clear(env, &sets->texts);
    dgm_corpus_clear(env, &sets->sample);
    dgm_text_cache_close(env, &sets->cache);
    dgm_mixture_clear(env, &sets->mixture);
    dgm_parses_clear(env, &sets->parses);
    dgm_parser_clear(env, &sets->parser);
}
