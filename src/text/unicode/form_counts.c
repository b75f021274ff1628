/* form_counts.c: counting, and what is said of a mixture. */
#include "text/unicode/form_counts.h"

#include "text/unicode/nfc.h"

void dgm_form_counts_add(struct dgm_form_counts *forms, const char *text, size_t bytes)
{
    const unsigned found = dgm_unicode_forms(text, bytes);

    forms->composed += (found & DGM_FORM_COMPOSED) != 0;
    forms->decomposed += (found & DGM_FORM_DECOMPOSED) != 0;
}

int dgm_form_counts_are_mixed(const struct dgm_form_counts *forms)
{
    return forms->composed > 0 && forms->decomposed > 0;
}

void dgm_form_counts_warn(struct dgm_env *env, const struct dgm_map *words, const char *what)
{
    struct dgm_form_counts forms = { 0, 0 };

    for (size_t i = 0; i < words->count; i++)
        dgm_form_counts_add(&forms, words->bytes + words->entries[i].key, words->entries[i].length);
    if (dgm_form_counts_are_mixed(&forms))
        dgm_log(env, DGM_LOG_WARNING,
                "letters with accents are composed in %ld %s and decomposed in %ld: a word that is "
                "written both ways is counted as two. Compose the text first, as uconv -x nfc does",
                forms.composed, what, forms.decomposed);
}
