/* hf_languages.c: pieces and languages of M2M-100 and NLLB-200, in the files of transformers. */
#include "model/foreign/hf_languages.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file/file.h"
#include "base/number/number.h"
#include "text/json.h"
#include "text/spm/spm.h"

/* What a file adds to the vocabulary, while it is read. */
struct adding {
    struct dgm_env *env;
    struct dgm_foreign_vocab *vocab;
    struct dgm_json json;
    struct dgm_buf name, text;
};

/* ---- tokens ---------------------------------------------------------------------------------- */

/* One that is there keeps its number. */
static dgm_status add_token(struct adding *adding, int64_t number, const struct dgm_buf *token)
{
    if (dgm_foreign_vocab_find(adding->vocab, token->data) >= 0)
        return DGM_OK;
    return dgm_foreign_vocab_add(adding->env, adding->vocab, number, token->data, token->size);
}

/* [ "__af__", .. ]: behind the vocabulary, in this order. */
static dgm_status add_list(struct adding *adding)
{
    size_t count = 0;
    int more = 1;

    DGM_TRY(dgm_json_mark(&adding->json, '['));
    for (;;) {
        DGM_TRY(dgm_json_item(&adding->json, ']', &count, &more));
        if (!more)
            return DGM_OK;
        DGM_TRY(dgm_json_string(&adding->json, &adding->text));
        DGM_TRY(add_token(adding, (int64_t)adding->vocab->count, &adding->text));
    }
}

/* { "__af__": 128004, .. } */
static dgm_status add_numbers(struct adding *adding)
{
    size_t count = 0;
    int more = 1;
    int64_t number;

    DGM_TRY(dgm_json_mark(&adding->json, '{'));
    for (;;) {
        DGM_TRY(dgm_json_item(&adding->json, '}', &count, &more));
        if (!more)
            return DGM_OK;
        DGM_TRY(dgm_json_name(&adding->json, &adding->text));
        DGM_TRY(dgm_json_int(&adding->json, 0, INT32_MAX, &number));
        DGM_TRY(add_token(adding, number, &adding->text));
    }
}

/* Passes a value that is text, a number or a word. */
static dgm_status pass(struct adding *adding)
{
    struct dgm_json *json = &adding->json;

    if (dgm_json_is_string(json))
        return dgm_json_string(json, &adding->name);
    while (json->at < json->size && strchr(",}", json->text[json->at]) == NULL)
        json->at++;
    return DGM_OK;
}

/* { "content": "__af__", "id": 128004, .. }; *number stays where it has none. */
static dgm_status add_described(struct adding *adding, int64_t number)
{
    size_t count = 0;
    int more = 1;

    dgm_buf_reset(&adding->text);
    DGM_TRY(dgm_json_mark(&adding->json, '{'));
    for (;;) {
        DGM_TRY(dgm_json_item(&adding->json, '}', &count, &more));
        if (!more)
            break;
        DGM_TRY(dgm_json_name(&adding->json, &adding->name));
        if (strcmp(adding->name.data, "content") == 0)
            DGM_TRY(dgm_json_string(&adding->json, &adding->text));
        else if (strcmp(adding->name.data, "id") == 0)
            DGM_TRY(dgm_json_int(&adding->json, 0, INT32_MAX, &number));
        else
            DGM_TRY(pass(adding));
    }
    if (adding->text.size == 0 || number < 0)
        return dgm_json_fail(&adding->json, "a token with its content and its number");
    return add_token(adding, number, &adding->text);
}

/* { "128004": { "content": "__af__", .. }, .. } */
static dgm_status add_decoder(struct adding *adding)
{
    size_t count = 0;
    int more = 1;

    DGM_TRY(dgm_json_mark(&adding->json, '{'));
    for (;;) {
        int64_t number;

        DGM_TRY(dgm_json_item(&adding->json, '}', &count, &more));
        if (!more)
            return DGM_OK;
        DGM_TRY(dgm_json_name(&adding->json, &adding->name));
        if (!dgm_number_int(&number, adding->name.data, adding->name.size))
            return dgm_json_fail(&adding->json, "the number of a token as a name");
        DGM_TRY(add_described(adding, number));
    }
}

/* [ { "content": .., "id": .. }, .. ] */
static dgm_status add_objects(struct adding *adding)
{
    size_t count = 0;
    int more = 1;

    DGM_TRY(dgm_json_mark(&adding->json, '['));
    for (;;) {
        DGM_TRY(dgm_json_item(&adding->json, ']', &count, &more));
        if (!more)
            return DGM_OK;
        DGM_TRY(add_described(adding, -1));
    }
}

/* M2M100Tokenizer names a family of languages by a word (transformers 5.24,
 * models/m2m_100/tokenization_m2m_100.py). */
static const struct {
    const char *word, *codes;
} families[] = {
    { "m2m100",
      "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga "
      "gd gl gu ha he hi hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt "
      "lv mg mk ml mn mr ms my ne nl no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr "
      "ss su sv sw ta th tl tn tr uk ur uz vi wo xh yi yo zh zu" },
    { "wmt21", "en ha is ja cs ru zh de" },
};

static dgm_status add_family(struct adding *adding, const char *word, const char *path)
{
    const char *at = NULL;
    size_t length;

    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        if (strcmp(families[f].word, word) == 0)
            at = families[f].codes;
    if (at == NULL)
        return dgm_fail_at(adding->env, DGM_MODEL, path, 0, 0,
                           "language_codes is \"%.60s\"; expected m2m100 or wmt21", word);
    for (; *at != '\0'; at += length + (at[length] == ' ')) {
        length = strcspn(at, " ");
        dgm_buf_reset(&adding->text);
        DGM_TRY(dgm_buf_add_format(adding->env, &adding->text, "__%.*s__", (int)length, at));
        DGM_TRY(add_token(adding, (int64_t)adding->vocab->count, &adding->text));
    }
    return DGM_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A member of a file's object, where it is there and not empty: its text. */
static const char *member(struct dgm_foreign_config *config, const char *name)
{
    const char *text = dgm_foreign_config_text(config, name);

    return text != NULL && text[0] != '\0' && strcmp(text, "{}") != 0 ? text : NULL;
}

/* What a file names, in the first of the ways that versions of transformers have. */
static dgm_status add_members(struct adding *adding, struct dgm_foreign_config *config,
                              const char *path)
{
    static const struct {
        const char *name;
        dgm_status (*add)(struct adding *);
    } ways[] = {
        { "added_tokens", add_objects },
        { "added_tokens_decoder", add_decoder },
        { "additional_special_tokens", add_list },
        { "extra_special_tokens", add_list },
    };
    const size_t before = adding->vocab->count;
    const char *text;

    for (size_t w = 0; w < sizeof ways / sizeof *ways && adding->vocab->count == before; w++) {
        text = member(config, ways[w].name);
        if (text == NULL)
            continue;
        dgm_json_start(&adding->json, adding->env, path, 1, text, strlen(text));
        DGM_TRY(ways[w].add(adding));
    }
    text = member(config, "language_codes");
    return adding->vocab->count == before && text != NULL ? add_family(adding, text, path) : DGM_OK;
}

/* A source has its language in front, or, in NLLB's older way, behind its end. */
static dgm_status check_order(struct dgm_env *env, struct dgm_foreign_config *config)
{
    int is_legacy = 0;

    DGM_TRY(dgm_foreign_config_flag(env, config, "legacy_behaviour", &is_legacy));
    if (!is_legacy)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, config->name, 0, 0,
                       "legacy_behaviour is true: languages stand behind the end of a source, "
                       "which none of ours do; expected false");
}

static dgm_status read_file(struct adding *adding, struct dgm_import *import, const char *path)
{
    struct dgm_foreign_config config = { .name = "" };
    dgm_status status;

    DGM_TRY(dgm_file_read_text(adding->env, &import->text, path));
    DGM_TRY_OUT(
        dgm_foreign_config_json(adding->env, &config, path, import->text.data, import->text.size));
    DGM_TRY_OUT(check_order(adding->env, &config));
    if (dgm_import_ends(path, "added_tokens.json")) {
        dgm_json_start(&adding->json, adding->env, path, 1, import->text.data, import->text.size);
        status = add_numbers(adding);
    } else {
        status = add_members(adding, &config, path);
    }
out:
    dgm_foreign_config_clear(adding->env, &config);
    return status;
}

/* Languages have the numbers behind the vocabulary's. All files are read, since any may say in
 * which order a source stands; the first that names some counts, as others repeat it. */
static dgm_status add_languages(struct dgm_env *env, struct dgm_import *import)
{
    static const char *const names[] = { "tokenizer.json", "added_tokens.json",
                                         "special_tokens_map.json", "tokenizer_config.json" };
    struct adding adding = { .env = env, .vocab = &import->vocab[DGM_SOURCE] };
    dgm_status status = DGM_OK;
    char path[1024];

    adding.vocab->most = DGM_VOCAB_LIMIT;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == DGM_OK; i++)
        if (dgm_import_find(env, import, names[i], path))
            status = read_file(&adding, import, path);
    dgm_buf_clear(env, &adding.name);
    dgm_buf_clear(env, &adding.text);
    return status;
}

/* ---- vocabularies ---------------------------------------------------------------------------- */

/* Numbers of fairseq: four special tokens, then the pieces behind their own three. */
static dgm_status add_pieces(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                             const struct dgm_spm *spm, const char *path)
{
    enum { PIECES = 3 };

    snprintf(vocab->name, sizeof vocab->name, "%s", path);
    vocab->most = DGM_VOCAB_LIMIT;
    for (int i = 0; i < DGM_VOCAB_SPECIALS; i++)
        DGM_TRY(dgm_foreign_vocab_add(env, vocab, i, dgm_foreign_vocab_ours[i],
                                      strlen(dgm_foreign_vocab_ours[i])));
    for (size_t id = PIECES; id < dgm_spm_size(spm); id++) {
        size_t bytes;
        const char *piece = dgm_spm_piece(spm, (int32_t)id, &bytes);

        DGM_TRY(dgm_foreign_vocab_add(env, vocab, (int64_t)id + 1, piece, bytes));
    }
    return DGM_OK;
}

static dgm_status read_pieces(struct dgm_env *env, struct dgm_import *import)
{
    const struct dgm_import_request *request = import->request;
    struct dgm_spm spm = { 0 };
    char path[1024];
    dgm_status status;

    if (request->spm_count > 0)
        snprintf(path, sizeof path, "%s", request->spm[0]);
    else if (!dgm_import_find(env, import, "sentencepiece.bpe.model", path))
        return dgm_fail_at(
            env, DGM_MODEL, import->folder, 0, 0,
            "no vocab.json (M2M-100) and no sentencepiece.bpe.model (NLLB-200) here; "
            "expected one, or --vocabs or --spm");
    status = dgm_spm_load(env, &spm, path);
    if (status == DGM_OK)
        status = add_pieces(env, &import->vocab[DGM_SOURCE], &spm, path);
    dgm_spm_clear(env, &spm);
    return status;
}

dgm_status dgm_hf_languages_read(struct dgm_env *env, struct dgm_import *import)
{
    const struct dgm_import_request *request = import->request;
    struct dgm_foreign_vocab *vocab = &import->vocab[DGM_SOURCE];
    char path[1024];
    size_t before;
    int is_m2m = dgm_import_find(env, import, "vocab.json", path);

    if (request->vocab_count > 0) {
        snprintf(path, sizeof path, "%s", request->vocabs[0]);
        is_m2m = 1;
    }
    DGM_TRY(is_m2m ? dgm_import_vocab(env, import, DGM_SOURCE, path) : read_pieces(env, import));
    before = vocab->count;
    import->tags_from = is_m2m ? 0 : before;
    DGM_TRY(add_languages(env, import));
    if (vocab->count == before)
        dgm_log(env, DGM_LOG_WARNING,
                "%s: no tokenizer.json, added_tokens.json, special_tokens_map.json or "
                "tokenizer_config.json that names languages: the model has no tags of them",
                import->folder);
    return DGM_OK;
}
