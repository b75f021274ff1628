/* export.c: a translation model as a folder for other programs (model/foreign/export.h). */
#include "model/foreign/export.h"

#include "api/context.h"

dgm_status dgm_export(dgm_context *context, const char *path, const char *to, const char *out,
                      int overwrite)
{
    const char *words[DGM_EXPORT_FORMATS];
    struct dgm_env *env;
    int format;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, path, "path"));
    DGM_TRY(dgm_argument_check(env, out, "out"));
    for (int i = 0; i < DGM_EXPORT_FORMATS; i++)
        words[i] = dgm_export_formats[i]->name;
    DGM_TRY(dgm_options_choose(env, &format, "to", to, words, DGM_EXPORT_FORMATS));
    return dgm_export_model(env, path, dgm_export_formats[format], out, overwrite);
}
