/*
 * test_pivot.c: translations that are translated further: which options do not go with that. What
 * comes of it is the subject of tests/cli/translate/via.sh.
 */
#include "api/translate/pivot.h"

#include <string.h>

#include "test.h"

static const char *const models[] = { "no such file" };

/* A translator of two steps is refused with these words, before any file is looked at. */
static void check_refused(const dgm_translator_options *of_first,
                          const dgm_translator_options *of_then, const char *words)
{
    dgm_translator_options first = *of_first, then = *of_then;
    dgm_translator *translator = NULL;
    dgm_context *context = NULL;

    CHECK_STATUS(dgm_context_new(NULL, &context), DGM_OK);
    first.struct_size = sizeof first;
    then.struct_size = then.struct_size == 0 ? sizeof then : then.struct_size;
    first.models = then.models = models;
    first.model_count = then.model_count = 1;
    first.then = &then;
    CHECK_STATUS(dgm_translator_new(context, &first, &translator), DGM_USAGE);
    CHECK(translator == NULL);
    CHECK(strstr(dgm_context_error(context)->message, words) != NULL);
    dgm_context_free(context);
}

TEST(pivot_refuses_what_is_of_one_step)
{
    const dgm_translator_options plain = { 0 }, shows = { .attention = 1 },
                                 links = { .alignment = 1 };
    const dgm_translator_options many = { .alignment = 1, .n_best = 2 };
    const dgm_translator_options trees = { .trees = "trees" }, more = { .then = &plain };
    const dgm_translator_options unsized = { .struct_size = 1 };

    check_refused(&shows, &plain, "then with attention");
    check_refused(&plain, &shows, "then with attention");
    check_refused(&plain, &links, "alignment of one step");
    check_refused(&links, &plain, "alignment of one step");
    check_refused(&many, &links, "n_best 2 that go on");
    check_refused(&plain, &trees, "then.trees; expected NULL");
    check_refused(&plain, &more, "then.then; expected NULL");
    check_refused(&plain, &unsized, "dgm_translator_options.then");
}
