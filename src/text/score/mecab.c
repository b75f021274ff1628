/* mecab.c: libmecab, or a message where configure found none. */
#include "text/score/mecab.h"

#include "config.h"

#ifdef DGM_HAVE_MECAB

#include <mecab.h>
#include <string.h>

#include "base/mem.h"

/* By its number of words sacreBLEU, too, knows the dictionary: mecab-ipadic-2.7.0-20070801. */
enum { IPA_WORDS = 392126 };

struct dgm_mecab {
    mecab_t *tagger;
};

/* Without a file of settings, where a folder is named: it might name another dictionary. */
static mecab_t *make(const char *folder)
{
    char name[] = "mecab", words[] = "-Owakati", settings[] = "-r/dev/null", dictionary[] = "-d";
    char *arguments[] = { name, words, settings, dictionary, (char *)(uintptr_t)folder };

    return mecab_new(folder != NULL ? 5 : 2, arguments);
}

/* "UTF-8", "utf8" */
static int is_utf8(const char *charset)
{
    return (charset[0] | 32) == 'u' && (charset[1] | 32) == 't' && (charset[2] | 32) == 'f' &&
           strcmp(charset + 3 + (charset[3] == '-'), "8") == 0;
}

static dgm_status check_dictionary(struct dgm_env *env, mecab_t *tagger)
{
    const mecab_dictionary_info_t *found = mecab_dictionary_info(tagger);

    if (found != NULL && found->size == IPA_WORDS && is_utf8(found->charset) && found->next == NULL)
        return DGM_OK;
    return dgm_fail(env, DGM_DATA,
                    "%s: %u words in %s%s; expected the IPA dictionary alone, %d words in UTF-8 "
                    "(mecab-ipadic-utf8)",
                    found != NULL ? found->filename : "MeCab", found != NULL ? found->size : 0,
                    found != NULL ? found->charset : "no dictionary",
                    found != NULL && found->next != NULL ? ", and another dictionary" : "",
                    IPA_WORDS);
}

dgm_status dgm_mecab_open(struct dgm_env *env, struct dgm_mecab **mecab, const char *folder)
{
    mecab_t *tagger = make(folder);
    dgm_status status;

    if (tagger == NULL)
        return dgm_fail(env, DGM_DATA,
                        "MeCab does not open %s%s; expected the IPA dictionary: install "
                        "mecab-ipadic-utf8, or name its folder with --mecab-dictionary",
                        folder != NULL ? "the dictionary " : "its dictionary",
                        folder != NULL ? folder : "");
    DGM_TRY_OUT(check_dictionary(env, tagger));
    DGM_TRY_OUT(dgm_new(env, mecab, 1, sizeof **mecab));
    (*mecab)->tagger = tagger;
    return DGM_OK;
out:
    mecab_destroy(tagger);
    return status;
}

void dgm_mecab_close(struct dgm_env *env, struct dgm_mecab *mecab)
{
    if (mecab == NULL)
        return;
    mecab_destroy(mecab->tagger);
    dgm_release(env, mecab);
}

const char *dgm_mecab_version(void)
{
    return mecab_version();
}

dgm_status dgm_mecab_cut(struct dgm_env *env, struct dgm_mecab *mecab, struct dgm_buf *out,
                         const char *line, size_t bytes)
{
    const char *words = mecab_sparse_tostr2(mecab->tagger, line, bytes);

    if (words == NULL)
        return dgm_fail(env, DGM_DATA, "MeCab: %s", mecab_strerror(mecab->tagger));
    return dgm_buf_add_text(env, out, words);
}

#else

dgm_status dgm_mecab_open(struct dgm_env *env, struct dgm_mecab **mecab, const char *folder)
{
    (void)mecab;
    (void)folder;
    return dgm_fail(
        env, DGM_UNSUPPORTED,
        "--tokenize ja-mecab needs MeCab, without which this program was built: install "
        "libmecab-dev and mecab-ipadic-utf8, and run configure again");
}

void dgm_mecab_close(struct dgm_env *env, struct dgm_mecab *mecab)
{
    (void)env;
    (void)mecab;
}

const char *dgm_mecab_version(void)
{
    return "none";
}

dgm_status dgm_mecab_cut(struct dgm_env *env, struct dgm_mecab *mecab, struct dgm_buf *out,
                         const char *line, size_t bytes)
{
    (void)env;
    (void)mecab;
    (void)out;
    (void)line;
    (void)bytes;
    return DGM_UNSUPPORTED;
}

#endif
