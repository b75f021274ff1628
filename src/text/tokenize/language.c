/* language.c: codes of languages: which are known, and which have rules of their own here. */
#include "text/tokenize/language.h"

#include <string.h>

#include "text/tokenize/moses.h"

/* ISO 639-1, set off by blanks. */
static const char two_letters[] =
    " aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu"
    " cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi"
    " ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks"
    " ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl"
    " nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl"
    " sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve"
    " vi vo wa wo xh yi yo za zh zu cz ";

/* Other spellings of the languages with rules, each followed by the code. */
static const char *const spellings[][2] = {
    { "eng", "en" }, { "english", "en" }, { "deu", "de" },
    { "ger", "de" }, { "german", "de" },  { "deutsch", "de" },
    { "fra", "fr" }, { "fre", "fr" },     { "french", "fr" },
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static int is_spelling(const char *code, size_t length, const char *word)
{
    size_t i;
    for (i = 0; i < length && word[i] != '\0' && lower(code[i]) == word[i]; i++)
        ;
    return i == length && word[i] == '\0';
}

static const char *find_spelling(const char *code, size_t length)
{
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (is_spelling(code, length, spellings[i][0]))
            return spellings[i][1];
    return NULL;
}

int dgm_language_is_known(const char *code, size_t length)
{
    char word[5] = "    ";
    if (length != 2 && length != 3)
        return 0;
    for (size_t i = 0; i < length; i++)
        if (code[i] < 'a' || code[i] > 'z')
            return 0;
    if (length == 3)
        return find_spelling(code, length) == NULL;
    memcpy(word + 1, code, 2);
    return strstr(two_letters, word) != NULL;
}

/* The code that "DE", "de-AT", "de_DE.UTF-8", "deu" or "german" stands for, in `guess`; or "". */
static void guess_code(const char *code, char guess[4])
{
    size_t length = strcspn(code, "-_.@"), i;
    const char *meant = find_spelling(code, length);
    guess[0] = '\0';
    if (length == 2) {
        for (i = 0; i < 2; i++)
            guess[i] = lower(code[i]);
        guess[2] = '\0';
        if (!dgm_language_is_known(guess, 2))
            guess[0] = '\0';
    } else if (meant != NULL) {
        strcpy(guess, meant);
    }
}

int dgm_language_code(const char *said, char code[DGM_LANGUAGE_SIZE])
{
    const size_t length = strcspn(said, "-_.@");

    guess_code(said, code);
    if (code[0] == '\0' && dgm_language_is_known(said, length)) {
        memcpy(code, said, length);
        code[length] = '\0';
    }
    return code[0] != '\0';
}

dgm_status dgm_language_check(struct dgm_env *env, const char *option, const char *code)
{
    char quoted[DGM_QUOTE_SIZE], guess[4];
    if (dgm_language_is_known(code, strlen(code)))
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, code, strlen(code));
    guess_code(code, guess);
    return dgm_fail(env, DGM_USAGE,
                    "%s: expected a code of ISO 639, such as en, de or fr, got \"%s\"%s%s%s",
                    option, quoted, guess[0] != '\0' ? "; did you mean \"" : "", guess,
                    guess[0] != '\0' ? "\"?" : "");
}

int dgm_language_has_rules(const char *code)
{
    return dgm_moses_language(code) != DGM_MOSES_OTHER;
}

void dgm_language_warn(struct dgm_env *env, const char *code, const char *instead)
{
    if (!dgm_language_has_rules(code))
        dgm_log(env, DGM_LOG_WARNING,
                "language \"%s\" has no rules of its own here, as en, de and fr have: the general "
                "rules cut words; %s",
                code, instead);
}
