/*
 * import_spm.c: which SentencePiece models cut the text of another program's model: those that the
 * user names, or those that lie beside it.
 *
 * A model that learned pieces reads garbage in any other text, and nothing tells. So what lies
 * there is left out only where the user says that text is cut already.
 */
#include <string.h>

#include "model/foreign/import.h"
#include "text/spm/spm.h"

/* ---- what the user said ---------------------------------------------------------------------- */

/* Whether text is to be cut by something else. */
static int is_cut_otherwise(const struct dgm_import_request *request)
{
    return request->codes != NULL ||
           (request->tokenize != NULL && strcmp(request->tokenize, "spm") != 0);
}

int dgm_import_needs_spm(const struct dgm_import *import)
{
    return import->request->spm_count == 0 && !is_cut_otherwise(import->request);
}

static dgm_status leave_out(struct dgm_env *env, const struct dgm_import *import, const char *spm)
{
    const struct dgm_import_request *request = import->request;

    if (request->codes != NULL)
        return dgm_fail(env, DGM_USAGE,
                        "--codes beside %s, which cuts this model's text; expected no --codes, or "
                        "a folder without that file",
                        spm);
    if (strcmp(request->tokenize, "none") != 0)
        return dgm_fail(env, DGM_USAGE,
                        "--tokenize %s beside %s, which cuts this model's text; expected spm, or "
                        "none for text that is cut into its pieces already",
                        request->tokenize, spm);
    dgm_log(env, DGM_LOG_NOTE, "%s is not used: text has to be cut into its pieces already", spm);
    return DGM_OK;
}

dgm_status dgm_import_choose_spm(struct dgm_env *env, const struct dgm_import *import,
                                 const char *spm[2])
{
    const struct dgm_import_request *request = import->request;
    const char *beside = spm[0] != NULL ? spm[0] : spm[1];

    if (request->spm_count > 0) {
        spm[0] = request->spm[0];
        spm[1] = request->spm_count > 1 ? request->spm[1] : NULL;
    } else if (beside != NULL && is_cut_otherwise(request)) {
        DGM_TRY(leave_out(env, import, beside));
        spm[0] = spm[1] = NULL;
    }
    if (spm[1] == NULL && import->vocab[DGM_TARGET].count > 0)
        spm[1] = spm[0];
    return DGM_OK;
}

/* ---- what lies beside a model ---------------------------------------------------------------- */

dgm_status dgm_import_find_spm(struct dgm_env *env, const struct dgm_import *import,
                               const char *const names[2], char paths[2][1024], const char *spm[2])
{
    for (int side = 0; side < 2; side++)
        spm[side] = names[side] != NULL && dgm_import_find(env, import, names[side], paths[side])
                        ? paths[side]
                        : NULL;
    for (int side = 0; side < 2; side++)
        if (names[side] != NULL && spm[side] == NULL && spm[!side] != NULL &&
            dgm_import_needs_spm(import))
            return dgm_fail_at(env, DGM_MODEL, import->folder, 0, 0,
                               "no %s here beside %s; expected it, or --spm", names[side],
                               names[!side]);
    return DGM_OK;
}

/* ---- pieces and vocabularies ----------------------------------------------------------------- */

static int is_piece(const struct dgm_spm *spm, const char *token)
{
    return dgm_map_find(&spm->pieces, token, strlen(token)) != NULL;
}

/* How many tokens of a vocabulary are pieces of one of two models. */
static size_t count_pieces(const struct dgm_foreign_vocab *vocab, const struct dgm_spm *a,
                           const struct dgm_spm *b)
{
    size_t count = 0;

    for (size_t i = 0; i < vocab->count; i++) {
        const char *token = dgm_foreign_vocab_token(vocab, i);

        count += token != NULL && (is_piece(a, token) || is_piece(b, token));
    }
    return count;
}

/* Tokens that are no pieces: tags, and characters too rare to be some. Of a vocabulary that
 * something else has cut, letters and short words are pieces by chance. */
static int is_most(size_t count, size_t of)
{
    return count >= of - of / 4;
}

/* A vocabulary, and how many of its tokens are pieces. */
struct fit {
    const struct dgm_foreign_vocab *vocab;
    size_t pieces;
};

/* Of the vocabularies the first that does not fit, or the last; a joint one holds the pieces of
 * both sides. */
static struct fit find_fit(const struct dgm_import *import, const struct dgm_spm models[2],
                           int has_two)
{
    const int is_joint = import->vocab[DGM_TARGET].count == 0;
    struct fit fit = { 0 };

    for (int side = DGM_SOURCE; side <= (is_joint ? DGM_SOURCE : DGM_TARGET); side++) {
        const struct dgm_spm *own = &models[has_two ? side : 0];

        fit.vocab = &import->vocab[side];
        fit.pieces = count_pieces(fit.vocab, own, is_joint && has_two ? &models[1] : own);
        if (!is_most(fit.pieces, fit.vocab->count))
            break;
    }
    return fit;
}

static dgm_status load_and_fit(struct dgm_env *env, const struct dgm_import *import,
                               const char *const spm[2], struct fit *fit)
{
    struct dgm_spm models[2];
    dgm_status status = DGM_OK;

    memset(models, 0, sizeof models);
    for (int i = 0; i < 2; i++)
        if (spm[i] != NULL)
            DGM_TRY_OUT(dgm_spm_load(env, &models[i], spm[i]));
    *fit = find_fit(import, models, spm[1] != NULL);
out:
    for (int i = 0; i < 2; i++)
        dgm_spm_clear(env, &models[i]);
    return status;
}

/* Leaves out models of whose pieces a vocabulary does not consist. */
static dgm_status drop_misfit(struct dgm_env *env, const struct dgm_import *import,
                              const char *spm[2])
{
    struct fit fit;

    DGM_TRY(load_and_fit(env, import, spm, &fit));
    if (is_most(fit.pieces, fit.vocab->count))
        return DGM_OK;
    if (dgm_import_needs_spm(import))
        dgm_log(env, DGM_LOG_NOTE,
                "%s is not used: of %zu tokens in %s only %zu are its pieces; --spm takes it",
                spm[0], fit.vocab->count, fit.vocab->name, fit.pieces);
    spm[0] = spm[1] = NULL;
    return DGM_OK;
}

dgm_status dgm_import_guess_spm(struct dgm_env *env, const struct dgm_import *import,
                                char paths[2][1024], const char *spm[2])
{
    static const char *const pair[2] = { "source.spm", "target.spm" };
    static const char *const both[2] = { "sentencepiece.bpe.model", NULL };

    const struct dgm_import_request *request = import->request;
    const int is_asked = request->tokenize != NULL && strcmp(request->tokenize, "spm") == 0;

    spm[0] = spm[1] = NULL;
    if (request->spm_count > 0)
        return dgm_import_choose_spm(env, import, spm);
    DGM_TRY(dgm_import_find_spm(env, import, pair, paths, spm));
    if (spm[0] == NULL && spm[1] == NULL)
        DGM_TRY(dgm_import_find_spm(env, import, both, paths, spm));
    if (spm[0] != NULL && !is_asked)
        DGM_TRY(drop_misfit(env, import, spm));
    return dgm_import_choose_spm(env, import, spm);
}
