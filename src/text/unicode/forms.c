/* forms.c: counting, and what is said of a mixture. */
#include "text/unicode/forms.h"

#include "text/unicode/nfc.h"

void dgm_forms_count(struct dgm_forms *forms, const char *text, size_t bytes)
{
    const unsigned found = dgm_unicode_forms(text, bytes);

    forms->composed += (found & DGM_FORM_COMPOSED) != 0;
    forms->decomposed += (found & DGM_FORM_DECOMPOSED) != 0;
}

int dgm_forms_are_mixed(const struct dgm_forms *forms)
{
    return forms->composed > 0 && forms->decomposed > 0;
}

void dgm_forms_warn(struct dgm_env *env, const struct dgm_map *words, const char *what)
{
    struct dgm_forms forms = { 0, 0 };

    for (size_t i = 0; i < words->count; i++)
        dgm_forms_count(&forms, words->bytes + words->entries[i].key, words->entries[i].length);
    if (dgm_forms_are_mixed(&forms))
        dgm_log(env, DGM_LOG_WARNING,
                "letters with accents are composed in %ld %s and decomposed in %ld: a word that is "
                "written both ways is counted as two. Compose the text first, as uconv -x nfc does",
                forms.composed, what, forms.decomposed);
}
