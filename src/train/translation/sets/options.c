/*
 * options.c: what the options say of texts, codes and vocabularies, and whether that goes together.
 */
#include "train/translation/sets/options.h"

#include <string.h>

#include "base/lines/compression.h"
#include "text/tokenize/language.h"
#include "train/translation/sets/cache.h"
#include "train/translation/sets/learn.h"
#include "train/translation/sets/parses.h"

/* Whether a file is called after a language: train.de, train.de.gz, train.de.zst. */
static int is_named_after(const char *path, const char *language)
{
    size_t length = strlen(path), code = strlen(language);

    length -= dgm_compression_suffix(path);
    return length > code + 1 && path[length - code - 1] == '.' &&
           memcmp(path + length - code, language, code) == 0;
}

/* The rules of a wrong language would cost quality without a word: what nobody has named must be
 * what the file is called. */
static dgm_status check_name(const struct dgm_run *run, const struct dgm_text *text, int side)
{
    const char *what = side == DGM_SOURCE ? "--source-lang" : "--target-lang";
    const char *language = dgm_settings_text(run->settings, what + 2);

    if (text->path[DGM_TARGET] != NULL && is_named_after(text->path[side], language))
        return DGM_OK;
    return dgm_fail_at(run->env, DGM_USAGE, dgm_text_path(text, side), 0, 0,
                       "no %s, and the file is not called after \"%s\", the default; expected %s "
                       "CODE, whose rules cut the text into words, or --tokenize none",
                       what, language, what);
}

static dgm_status check_language(const struct dgm_run *run, const struct dgm_sets *sets, int side)
{
    const struct dgm_settings *s = run->settings;
    const char *what = side == DGM_SOURCE ? "--source-lang" : "--target-lang", *option = what + 2;
    const char *language = dgm_settings_text(s, option);
    int has_rules = strcmp(dgm_settings_text(s, "tokenize"), "moses") == 0;

    DGM_TRY(dgm_language_check(run->env, what, language));
    if (!has_rules && !dgm_settings_flag(s, "normalize-punctuation"))
        return DGM_OK;
    for (size_t i = 0; i < sets->texts.count && !dgm_settings_is_set(s, option); i++)
        DGM_TRY(check_name(run, &sets->texts.items[i], side));
    return DGM_OK;
}

/* One warning for both sides, of languages that Moses' rules cut without knowing them. */
static void warn_of_languages(const struct dgm_run *run)
{
    const struct dgm_settings *s = run->settings;
    const char *source = dgm_settings_text(s, "source-lang");
    const char *target = dgm_settings_text(s, "target-lang");
    int of_source = !dgm_language_has_rules(source), of_target = !dgm_language_has_rules(target);
    int of_both = of_source && of_target && strcmp(source, target) != 0;

    if (strcmp(dgm_settings_text(s, "tokenize"), "moses") != 0 || !(of_source || of_target))
        return;
    dgm_log(run->env, DGM_LOG_WARNING,
            "language%s \"%s\"%s%s%s no rules of %s own here, as en, de and fr have: the general "
            "rules cut words; --vocab-type unigram learns from the text where to cut, in any "
            "language",
            of_both ? "s" : "", of_source ? source : target, of_both ? " and \"" : "",
            of_both ? target : "", of_both ? "\" have" : " has", of_both ? "their" : "its");
}

/* One number is that of both sides; a joint vocabulary has no sides. */
static dgm_status check_least_counts(const struct dgm_run *run)
{
    const struct dgm_settings *s = run->settings;
    size_t count = dgm_settings_count(s, "min-freq");
    int is_joint = strcmp(dgm_settings_text(s, "tied-embeddings"), "all") == 0;

    if (count > 2)
        return dgm_fail(run->env, DGM_USAGE,
                        "--min-freq names %zu numbers; expected one for both sides, or two", count);
    if (count == 2 && is_joint)
        return dgm_fail(run->env, DGM_USAGE,
                        "--min-freq names two numbers, and --tied-embeddings all has one "
                        "vocabulary; expected one number, which counts on both sides together");
    return DGM_OK;
}

static int learns_spm(const struct dgm_settings *settings)
{
    return dgm_settings_is_set(settings, "vocab-type") &&
           strcmp(dgm_settings_text(settings, "vocab-type"), "bpe") != 0;
}

/* A model of pieces for both sides, or for each. */
static dgm_status check_spm(const struct dgm_run *run)
{
    const struct dgm_settings *s = run->settings;
    const size_t files = dgm_settings_count(s, "spm");
    int is_joint = strcmp(dgm_settings_text(s, "tied-embeddings"), "all") == 0;

    if (strcmp(dgm_settings_text(s, "tokenize"), "spm") != 0 || learns_spm(s))
        return DGM_OK;
    if (files == 0 && (dgm_settings_text(s, "init") == NULL || dgm_sets_learns_anew(s)))
        return dgm_fail(run->env, DGM_USAGE,
                        "--tokenize spm without --spm; expected SentencePiece models, or "
                        "--tokenize moses or none");
    if (files > (is_joint ? 1 : 2))
        return dgm_fail(run->env, DGM_USAGE, "--spm names %zu files; expected %s", files,
                        is_joint ? "one, since --tied-embeddings all has one vocabulary"
                                 : "one for both sides, or two");
    return DGM_OK;
}

/* A file for each vocabulary. */
static dgm_status check_vocabs(const struct dgm_run *run)
{
    const struct dgm_settings *s = run->settings;
    const size_t files = dgm_settings_count(s, "vocabs");
    int is_joint = strcmp(dgm_settings_text(s, "tied-embeddings"), "all") == 0;

    if (files == 0 || files == (is_joint ? 1 : 2))
        return DGM_OK;
    /* As Marian's configurations name a joint one. */
    if (files == 2 &&
        strcmp(dgm_settings_item(s, "vocabs", 0), dgm_settings_item(s, "vocabs", 1)) == 0)
        return DGM_OK;
    return dgm_fail(run->env, DGM_USAGE, "--vocabs names %zu file%s; expected %s", files,
                    files == 1 ? "" : "s",
                    is_joint ? "one, since --tied-embeddings all has one vocabulary, or "
                               "--tied-embeddings decoder"
                             : "two, one for each side (the same file may be named twice)");
}

/* What a file has all of is not learned: numbers that say how would be of no effect. A recipe may
 * name them, for runs without the file. */
static dgm_status check_learned(const struct dgm_run *run)
{
    static const struct {
        const char *file, *option, *has;
    } pairs[] = { { "codes", "bpe-merges", "merges" },
                  { "vocabs", "dim-vocabs", "entries" },
                  { "vocabs", "min-freq", "entries" } };
    const struct dgm_settings *s = run->settings;
    /* The least count of a lemma, too (trees.c). */
    const int counts_lemmas = strstr(dgm_settings_text(s, "syntax"), "lemma") != NULL;

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (dgm_settings_is_set(s, pairs[i].file) && dgm_settings_is_typed(s, pairs[i].option) &&
            !(counts_lemmas && strcmp(pairs[i].option, "min-freq") == 0))
            return dgm_fail(run->env, DGM_USAGE,
                            "--%s with %s%s, which has all %s; expected one of the two",
                            pairs[i].option, dgm_settings_is_typed(s, pairs[i].file) ? "--" : "",
                            pairs[i].file, pairs[i].has);
    return DGM_OK;
}

/* Files of codes and vocabularies, where the run learns from its own text. */
static dgm_status check_files(const struct dgm_run *run)
{
    const struct dgm_settings *s = run->settings;

    if (dgm_settings_text(s, "init") != NULL && !dgm_sets_learns_anew(s))
        return DGM_OK;
    DGM_TRY(check_vocabs(run));
    return check_learned(run);
}

dgm_status dgm_sets_options_read(struct dgm_run *run, struct dgm_sets *sets)
{
    DGM_TRY(dgm_sets_read(run, sets));
    DGM_TRY(check_least_counts(run));
    DGM_TRY(check_spm(run));
    DGM_TRY(check_files(run));
    dgm_sets_parses_read(run, &run->options.order);
    DGM_TRY(dgm_sets_cache_check(run));
    DGM_TRY(check_language(run, sets, DGM_SOURCE));
    DGM_TRY(check_language(run, sets, DGM_TARGET));
    warn_of_languages(run);
    return dgm_sets_check(run, sets);
}
