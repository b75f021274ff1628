/* script.c: looks letters up in the tables of script_data.c, and languages in one of its own. */
#include "text/unicode/script.h"

#include <string.h>

#include "base/near.h"
#include "text/unicode/script_data.h"
#include "text/unicode/unicode.h"

/* ---- letters --------------------------------------------------------------------------------- */

int dgm_script_of(uint32_t code)
{
    return code < 128 ? dgm_script_ascii[code]
                      : (int)dgm_unicode_run(dgm_script_runs, dgm_script_run_count, 8, code);
}

/* ---- languages ------------------------------------------------------------------------------- */

/* Codes of ISO 639 by the scripts that texts of today are written in, as the Common Locale Data
 * Repository has them. Where two are in use, a letter of either will do. */
static const struct {
    const char *scripts; /* codes of ISO 15924 */
    const char *languages;
} written[] = {
    { "Latn",
      " aa af ak an ast ay bi bm br bs ca ceb ch co cs cy cz da de dsb ee en eo es et eu ff"
      " fi fil fj fo fr fy ga gd gl gn gv ha haw ho hr hsb ht hu hz ia id ie ig ik io is it"
      " jv kg ki kj kl kr kw la lb lg li ln lt lu lv mg mh mi mt na nb nd ng nl nn no nr nv"
      " ny oc om pl pt qu rm rn ro rw sc se sg sk sl sm sn so sq ss st su sv sw tk tl tn to"
      " tr ts tw ty vec vi vo wa wo xh yo zu eng deu ger fra fre spa ita por nld pol tur " },
    { "Cyrl", " ab av ba be bg ce cu cv kv ky mk os ru rus tg tt uk ukr " },
    { "Cyrl Latn", " az cnr kk sh sr uz " },
    { "Cyrl Mong", " mn " },
    { "Arab", " ar ara ckb fa fas ps ug ur " },
    { "Arab Deva", " ks sd " },
    { "Arab Latn", " ku ms " },
    { "Deva", " bh hi hin mai mr ne sa " },
    { "Beng", " as bn ben " },
    { "Guru Arab", " pa " },
    { "Gujr", " gu " },
    { "Orya", " or " },
    { "Taml", " ta tam " },
    { "Telu", " te tel " },
    { "Knda", " kn " },
    { "Mlym", " ml " },
    { "Sinh", " si " },
    { "Thai", " th tha " },
    { "Laoo", " lo " },
    { "Tibt", " bo dz " },
    { "Mymr", " my " },
    { "Geor", " ka " },
    { "Armn", " hy " },
    { "Grek", " el ell grc " },
    { "Hebr", " he heb iw ji yi " },
    { "Ethi", " am ti " },
    { "Khmr", " km " },
    { "Thaa", " dv " },
    { "Yiii", " ii " },
    { "Cans Latn", " cr iu oj " },
    { "Hang Hani", " ko kor " },
    { "Hani Bopo", " wuu yue zh zho chi " },
    { "Hani Hira Kana", " ja jpn " },
};

static int is_same(const char *word, const char *text, size_t length)
{
    size_t i;

    for (i = 0; i < length && word[i] != '\0'; i++) {
        const char a = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] + 32) : word[i];
        const char b = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 32) : text[i];

        if (a != b && !(a == ' ' && (b == '_' || b == '-')))
            return 0;
    }
    return i == length && word[i] == '\0';
}

/* The number of a script by its code or name; 0: none. */
static int find_script(const char *text, size_t length)
{
    for (int script = 1; script < dgm_script_count; script++)
        if (is_same(dgm_script_names[script].code, text, length) ||
            is_same(dgm_script_names[script].name, text, length))
            return script;
    return 0;
}

static void add(struct dgm_script_set *set, int script)
{
    set->holds[script] = 1;
    set->is_given = 1;
}

/* The scripts of a language's code. */
static void add_language(struct dgm_script_set *set, const char *code, size_t length)
{
    char word[6] = " ";

    if (length < 2 || length > 3)
        return;
    for (size_t at = 0; at < length; at++)
        word[1 + at] = code[at] >= 'A' && code[at] <= 'Z' ? (char)(code[at] + 32) : code[at];
    word[1 + length] = ' ';
    word[2 + length] = '\0';
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++)
        if (strstr(written[i].languages, word) != NULL)
            for (size_t at = 0; at < strlen(written[i].scripts); at += 5)
                add(set, find_script(written[i].scripts + at, 4));
}

/* "sr-Latn", "zh_Hans-CN": the part that is a script says more than the language. Hans and Hant are
 * the two ways to write Han; they share most letters. */
static void add_tag(struct dgm_script_set *set, const char *tag)
{
    const size_t length = strcspn(tag, "-_.@");
    const char *part = tag + length;
    size_t size;

    for (; *part == '-' || *part == '_'; part += size) {
        size = strcspn(++part, "-_.@");
        if (size == 4 && find_script(part, size) > 0)
            add(set, find_script(part, size));
    }
    if (!set->is_given)
        add_language(set, tag, length);
}

dgm_status dgm_script_set_fill(struct dgm_env *env, struct dgm_script_set *set, const char *option,
                               const char *value)
{
    char quoted[DGM_QUOTE_SIZE], suggestion[DGM_SUGGESTION_SIZE];
    struct dgm_near near;
    int script = find_script(value, strlen(value));

    memset(set, 0, sizeof *set);
    if (script > 0)
        add(set, script);
    else
        add_tag(set, value);
    if (set->is_given)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, value, strlen(value));
    dgm_near_begin(&near, value, strlen(value));
    for (script = 1; script < dgm_script_count; script++)
        dgm_near_try(&near, dgm_script_names[script].name, strlen(dgm_script_names[script].name));
    dgm_near_suggest(&near, suggestion);
    return dgm_fail(env, DGM_USAGE,
                    "%s \"%s\" is no script, and no language whose script is known here; expected "
                    "a code such as de, ru or zh-Hans, or a script such as Latin%s",
                    option, quoted, suggestion);
}
