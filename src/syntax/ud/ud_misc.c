/* ud_misc.c: the keys of MISC that UD knows: each once, and what SpaceAfter may say (level 2). */
#include "syntax/ud/ud_parts.h"

#include <string.h>

static const char known[] = " SpaceAfter Lang Translit LTranslit Gloss LId LDeriv Ref ";

/* Whether one of the parts before `at` has the same key. */
static int is_repeated(const char *misc, const char *at, size_t key)
{
    const char *other = misc;

    for (; other < at; other += strcspn(other, "|") + 1)
        if (strncmp(other, at, key) == 0 && strcspn(other, "=|") == key)
            return 1;
    return 0;
}

/* What is expected instead of a part, or NULL. */
static const char *find_fault(const char *misc, const char *at, size_t bytes)
{
    static const char space[] = "SpaceAfter=";
    size_t key = strcspn(at, "=|");

    if (bytes >= sizeof space - 1 && memcmp(at, space, sizeof space - 1) == 0 &&
        !(bytes == sizeof space + 1 && memcmp(at + bytes - 2, "No", 2) == 0))
        return "SpaceAfter=No, or SpacesAfter";
    /* Only keys that UD knows are looked for, so that long columns take no long time. */
    if (dgm_conllu_list_holds(known, at, key) && is_repeated(misc, at, key))
        return "this key once";
    return NULL;
}

dgm_status dgm_ud_misc(const struct dgm_ud_check *check, const struct dgm_conllu_row *row)
{
    const char *misc = dgm_conllu_row_text(check->sentence, row, DGM_CONLLU_MISC), *at = misc;

    if (strstr(misc, "NoSpaceAfter=Yes") != NULL)
        return dgm_ud_refuse_field(check, DGM_CONLLU_BAD_LABEL, row, DGM_CONLLU_MISC,
                                   "SpaceAfter=No instead of NoSpaceAfter=Yes");
    for (;;) {
        size_t bytes = strcspn(at, "|");
        const char *expected = find_fault(misc, at, bytes);

        if (expected != NULL)
            return dgm_ud_refuse(check, DGM_CONLLU_BAD_LABEL, row, DGM_CONLLU_MISC, at, bytes,
                                 expected);
        if (at[bytes] == '\0')
            return DGM_OK;
        at += bytes + 1;
    }
}
