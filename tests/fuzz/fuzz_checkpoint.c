/*
 * fuzz_checkpoint.c: a checkpoint that somebody has changed, and the run that is to go on from it.
 *
 * An input is a whole checkpoint ("GGUF...") or, line by line, what is changed in a good one of a
 * tiny model, which the target makes itself, so that inputs outlive changes of the format:
 *
 *     run parser average text         which of the runs: no word is a must
 *     KEY i WHOLE                     the key becomes an i64, an f64 of these bits, an array of so
 *     KEY d BITS                      many u64, or goes; or byte AT of its text becomes BYTE
 *     KEY a COUNT
 *     KEY -
 *     KEY b AT BYTE
 *     TENSOR f AT BITS                an element becomes a float of these bits; the tensor becomes
 *     TENSOR n COUNT                  a vector of its first elements; or it goes
 *     TENSOR -
 *
 * Lines that make no sense are passed over. What comes of it is written with right checksums, since
 * it is not these that are tried here. The run then makes an update, saves, validates, and ends
 * with a model, or says what is wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/vfs.h"
#include "base/number/number.h"
#include "base/option/settings.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "train/options.h"
#include "train/parsing/learner.h"
#include "train/trainer.h"
#include "train/translation/learner.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { PARSER = 1, AVERAGE = 2, TEXT = 4 };
enum { BASE_UPDATES = 3, MOST_LINES = 16 };

static char folder[200];
static struct dgm_buf bases[2]; /* checkpoints of a translation model and of a parser */
static struct dgm_env base_env; /* their memory */

static void expect(int holds)
{
    if (!holds)
        abort();
}

/* ---- files ----------------------------------------------------------------------------------- */

static const char *in_folder(char path[300], const char *name)
{
    snprintf(path, 300, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    char path[300];
    FILE *file = fopen(in_folder(path, name), "wb");

    expect(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static dgm_status remove_name(struct dgm_env *env, void *user, const char *name)
{
    char path[600];

    (void)env;
    snprintf(path, sizeof path, "%s/%s", (const char *)user, name);
    unlink(path);
    return DGM_OK;
}

static void remove_run(void)
{
    char path[300];

    unlink(in_folder(path, "m"));
    in_folder(path, "m.ckpt");
    if (access(path, F_OK) == 0)
        expect(dgm_folder_list(&base_env, path, remove_name, path) == DGM_OK);
    rmdir(path);
}

static void remove_all(void)
{
    remove_run();
    (void)dgm_folder_list(&base_env, folder, remove_name, folder);
    rmdir(folder);
    dgm_buf_clear(&base_env, &bases[0]);
    dgm_buf_clear(&base_env, &bases[1]);
}

static int no_sync(void *user, int fd)
{
    (void)user;
    (void)fd;
    return 0;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static const char *const translation[] = {
    "tokenize", "none", "bpe-merges",          "0", "enc-depth",         "1", "dec-depth",    "1",
    "dim-emb",  "4",    "transformer-dim-ffn", "4", "transformer-heads", "2", "batch-tokens", "8",
    NULL
};
static const char *const parser[] = { "min-freq",
                                      "1",
                                      "bpe-merges",
                                      "4",
                                      "enc-depth",
                                      "1",
                                      "dim-emb",
                                      "4",
                                      "dim-lstm",
                                      "4",
                                      "dim-piece",
                                      "4",
                                      "dim-piece-lstm",
                                      "4",
                                      "dim-arc",
                                      "4",
                                      "dim-label",
                                      "4",
                                      "dim-tag",
                                      "4",
                                      "transformer-heads",
                                      "2",
                                      "transformer-dim-ffn",
                                      "4",
                                      "batch-tokens",
                                      "8",
                                      "columns",
                                      "all",
                                      "treebanks",
                                      "tb",
                                      NULL };

static void set(struct dgm_env *env, struct dgm_settings *settings, const char *name,
                const char *value)
{
    expect(dgm_settings_set(env, settings, name, value, "fuzz") == DGM_OK);
}

static void set_files(struct dgm_env *env, struct dgm_settings *settings, int which)
{
    char path[2][300], files[700];

    if (which & PARSER) {
        set(env, settings, "train-sets",
            in_folder(path[0], which & TEXT ? "b.conllu" : "a.conllu"));
        set(env, settings, "valid-sets", in_folder(path[0], "a.conllu"));
    } else {
        snprintf(files, sizeof files, "%s %s", in_folder(path[0], which & TEXT ? "s" : "source"),
                 in_folder(path[1], which & TEXT ? "t" : "target"));
        set(env, settings, "train-sets", files);
        snprintf(files, sizeof files, "%s %s", in_folder(path[0], "s"), in_folder(path[1], "t"));
        set(env, settings, "valid-sets", files);
    }
    set(env, settings, "model", in_folder(path[0], "m"));
}

static dgm_status train(struct dgm_env *env, int which, const char *after)
{
    const char *const *options = which & PARSER ? parser : translation;
    struct dgm_device_options none = { 1, "c", NULL, NULL, NULL };
    struct dgm_train_hooks hooks;
    struct dgm_settings settings;
    struct dgm_devices devices;
    dgm_status status;

    memset(&hooks, 0, sizeof hooks);
    expect(dgm_settings_init(env, &settings,
                             which & PARSER ? dgm_train_parser_tables : dgm_train_tables) ==
           DGM_OK);
    set_files(env, &settings, which);
    for (; options[0] != NULL; options += 2)
        set(env, &settings, options[0], options[1]);
    set(env, &settings, "after", after);
    set(env, &settings, "valid-freq", "2u");
    set(env, &settings, "save-freq", "1u");
    set(env, &settings, "average", which & AVERAGE ? "2" : "0");
    set(env, &settings, "allow-missing-checkpoints", "true"); /* there is one alone */
    set(env, &settings, "allow-data-change", which & TEXT ? "true" : "false");
    expect(dgm_devices_open(env, &devices, "cpu", &none) == DGM_OK);
    status = dgm_trainer_run(env, &devices, &settings, &hooks,
                             which & PARSER ? &dgm_parsing_learner : &dgm_translation_learner);
    dgm_devices_close(env, &devices);
    dgm_settings_clear(env, &settings);
    return status;
}

static const char tree[] = "1\ta\ta\tX\tx\tA=a\t2\tl\t_\t_\n2\tb\tc\tY\t_\t_\t0\troot\t_\t_\n\n"
                           "1\tb\t_\tY\t_\t_\t0\troot\t_\t_\n2\tc\t_\tX\t_\t_\t1\tl\t_\t_\n"
                           "3\td\t_\tZ\t_\t_\t1\tm\t_\t_\n\n";

static void begin(void)
{
    static struct dgm_vfs vfs;
    const char *temporary = getenv("TMPDIR");
    char path[300], trees[8 * sizeof tree] = "";
    int which;

    snprintf(folder, sizeof folder, "%s/fuzz-checkpoint-XXXXXX",
             temporary != NULL && strlen(temporary) < 150 ? temporary : "/tmp");
    expect(mkdtemp(folder) != NULL);
    dgm_env_init(&base_env);
    vfs = dgm_vfs_system;
    vfs.sync = no_sync;
    base_env.vfs = &vfs;
    atexit(remove_all);
    write_text("source", "a b\nb c d\nc a\nd d a b\na c\nb\nd c\nb b a\n");
    write_text("target", "x y\ny z w\nz x\nw w x y\nx z\ny\nw z\ny y x\n");
    write_text("s", "a b\nb c d\nb\n");
    write_text("t", "x y\ny z w\ny\n");
    write_text("b.conllu", tree);
    for (which = 0; which < 6; which++)
        strcat(trees, tree);
    write_text("a.conllu", trees);
    for (which = 0; which < 2; which++) {
        expect(train(&base_env, which, "3u") == DGM_OK);
        expect(dgm_file_read(&base_env, &bases[which],
                             in_folder(path, "m.ckpt/update-00000003.gguf")) == DGM_OK);
        remove_run();
    }
}

/* ---- edits ----------------------------------------------------------------------------------- */

struct edit {
    char name[100];
    char what;
    int64_t at;
    uint64_t bits;
};

struct script {
    int which;
    struct edit edits[MOST_LINES];
    int count;
};

/* A line into at most 4 words. */
static int cut(char *line, char *words[4])
{
    int count = 0;

    while (count < 4) {
        while (*line == ' ')
            line++;
        if (*line == '\0')
            break;
        words[count++] = line;
        while (*line != ' ' && *line != '\0')
            line++;
        if (*line == ' ')
            *line++ = '\0';
    }
    return count;
}

static uint64_t number(const char *text)
{
    int64_t whole = 0;
    uint64_t bits = 0;

    if (dgm_number_int(&whole, text, strlen(text)))
        return (uint64_t)whole;
    for (; *text != '\0'; text++)
        bits = bits << 4 | (uint64_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    return bits;
}

static void read_line(struct script *script, char *line)
{
    char *words[4];
    int i, count = cut(line, words);
    struct edit *edit = &script->edits[script->count];

    if (count > 0 && strcmp(words[0], "run") == 0) {
        for (i = 1; i < count; i++)
            script->which |= strcmp(words[i], "parser") == 0    ? PARSER
                             : strcmp(words[i], "average") == 0 ? AVERAGE
                             : strcmp(words[i], "text") == 0    ? TEXT
                                                                : 0;
        return;
    }
    if (count < 2 || script->count == MOST_LINES || strlen(words[0]) >= sizeof edit->name)
        return;
    strcpy(edit->name, words[0]);
    edit->what = words[1][0];
    edit->at = count == 4 ? (int64_t)(number(words[2]) & 0xffffff) : 0;
    edit->bits = count > 2 ? number(words[count - 1]) : 0;
    script->count++;
}

static void read_script(struct script *script, const uint8_t *data, size_t size)
{
    char line[160];
    size_t at = 0, length;

    memset(script, 0, sizeof *script);
    while (at < size) {
        for (length = 0; at + length < size && data[at + length] != '\n'; length++)
            if (length < sizeof line - 1)
                line[length] = data[at + length] >= ' ' && data[at + length] < 127
                                   ? (char)data[at + length]
                                   : ' ';
        line[length < sizeof line ? length : sizeof line - 1] = '\0';
        read_line(script, line);
        at += length + 1;
    }
}

static const struct edit *edit_of(const struct script *script, const char *name)
{
    int i;

    for (i = script->count - 1; i >= 0; i--)
        if (strcmp(script->edits[i].name, name) == 0)
            return &script->edits[i];
    return NULL;
}

static dgm_status add_text(struct dgm_env *env, struct dgm_gguf_writer *writer,
                           const struct dgm_gguf *file, const struct edit *edit)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    size_t length;
    const char *old = dgm_gguf_text(file, edit->name, &length);
    dgm_status status;

    if (old == NULL || length == 0)
        return DGM_OK;
    expect(dgm_buf_add(env, &text, old, length) == DGM_OK);
    text.data[(size_t)edit->at % length] = (char)(edit->bits & 127);
    status = dgm_gguf_add_text(env, writer, edit->name, text.data, length);
    dgm_buf_clear(env, &text);
    return status;
}

static dgm_status add_key(struct dgm_env *env, struct dgm_gguf_writer *writer,
                          const struct dgm_gguf *file, const struct dgm_gguf_key *key,
                          const struct edit *edit)
{
    uint64_t items[64];
    double real;
    size_t i;

    if (edit == NULL)
        return dgm_gguf_add_key(env, writer, file, key);
    memcpy(&real, &edit->bits, sizeof real);
    switch (edit->what) {
    case 'i': return dgm_gguf_add_i64(env, writer, key->name, (int64_t)edit->bits);
    case 'd': return dgm_gguf_add_f64(env, writer, key->name, real);
    case 'b': return add_text(env, writer, file, edit);
    case 'a':
        for (i = 0; i < 64; i++)
            items[i] = i % 3 == 0 ? i : (uint64_t)1 << i;
        return dgm_gguf_add_u64s(env, writer, key->name, items, (size_t)edit->bits % 64);
    default: return DGM_OK;
    }
}

/* `bytes`: the tensor's own, of which one element may be changed. */
static dgm_status add_tensor(struct dgm_env *env, struct dgm_gguf_writer *writer,
                             const struct dgm_gguf_tensor *t, unsigned char *bytes,
                             const struct edit *edit)
{
    size_t dims[DGM_GGUF_RANK], k;
    int rank = t->rank;

    memcpy(dims, t->dims, sizeof dims);
    if (edit != NULL && edit->what == '-')
        return DGM_OK;
    if (edit != NULL && edit->what == 'n' && t->count > 0) {
        dims[0] = 1 + (size_t)edit->bits % t->count;
        rank = 1;
    }
    if (edit != NULL && edit->what == 'f' && t->type == DGM_GGUF_F32 && t->count > 0)
        for (k = 0; k < 4; k++)
            bytes[(size_t)edit->at % t->count * 4 + k] = (unsigned char)(edit->bits >> 8 * k);
    return dgm_gguf_add_raw(env, writer, t->name, t->type, rank, dims, bytes);
}

/* Writes the checkpoint; 0 where there is none that can be written. */
static int write_checkpoint(struct dgm_env *env, const struct dgm_gguf *file,
                            const struct script *script)
{
    struct dgm_gguf_writer writer;
    unsigned char **blocks = calloc(file->tensor_count + 1, sizeof *blocks);
    dgm_status status = DGM_OK;
    char path[300];
    size_t i;

    expect(blocks != NULL);
    memset(&writer, 0, sizeof writer);
    writer.name_limit = DGM_GGUF_NAME;
    for (i = 0; i < file->key_count && status == DGM_OK; i++)
        status = add_key(env, &writer, file, &file->keys[i], edit_of(script, file->keys[i].name));
    for (i = 0; i < file->tensor_count && status == DGM_OK; i++) {
        const struct dgm_gguf_tensor *t = &file->tensors[i];
        blocks[i] = malloc(t->bytes + 1);
        expect(blocks[i] != NULL);
        memcpy(blocks[i], dgm_gguf_data(file, t), t->bytes);
        status = add_tensor(env, &writer, t, blocks[i], edit_of(script, t->name));
    }
    expect(mkdir(in_folder(path, "m.ckpt"), 0700) == 0);
    if (status == DGM_OK)
        status = dgm_gguf_write(env, &writer, in_folder(path, "m.ckpt/update-00000003.gguf"));
    dgm_gguf_writer_clear(env, &writer);
    for (i = 0; i < file->tensor_count; i++)
        free(blocks[i]);
    free(blocks);
    return status == DGM_OK;
}

/* ---- the target ------------------------------------------------------------------------------ */

static void check_model(struct dgm_env *env)
{
    struct dgm_gguf model;
    char path[300];
    int64_t updates = 0;

    memset(&model, 0, sizeof model);
    expect(dgm_gguf_load(env, &model, in_folder(path, "m")) == DGM_OK);
    expect(dgm_gguf_verify(env, &model, NULL) == DGM_OK);
    expect(dgm_gguf_int(&model, "dragoman.training.updates", &updates));
    expect(updates == BASE_UPDATES + 1);
    dgm_gguf_clear(env, &model);
}

static void try(struct dgm_env *env, int which)
{
    dgm_status status = train(env, which, "4u");
    if (getenv("FUZZ_TELL") != NULL)
        printf("  %s: %s\n", env->error.file, status == DGM_OK ? "ok" : env->error.message);

    if (status == DGM_OK) {
        check_model(env);
        return;
    }
    expect(status == DGM_MODEL || status == DGM_USAGE || status == DGM_DIVERGED ||
           status == DGM_DATA);
    expect(env->error.message[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct script script;
    struct dgm_gguf file;
    struct dgm_env env;
    dgm_status status;

    if (folder[0] == '\0')
        begin();
    env = base_env;
    read_script(&script, data, size);
    memset(&file, 0, sizeof file);
    if (size > 4 && memcmp(data, "GGUF", 4) == 0) {
        memset(&script, 0, sizeof script);
        status = dgm_gguf_parse(&env, &file, data, size, "input");
    } else {
        status = dgm_gguf_parse(&env, &file, bases[script.which & PARSER].data,
                                bases[script.which & PARSER].size, "base");
        expect(status == DGM_OK);
    }
    if (status == DGM_OK && write_checkpoint(&env, &file, &script))
        try(&env, script.which);
    dgm_gguf_clear(&env, &file);
    remove_run();
    return 0;
}

/* ---- the mutator ----------------------------------------------------------------------------- */

static const char *const values[] = { "0",
                                      "1",
                                      "-1",
                                      "2",
                                      "3",
                                      "4",
                                      "7",
                                      "8",
                                      "100",
                                      "65536",
                                      "2147483647",
                                      "2147483648",
                                      "4294967295",
                                      "4294967296",
                                      "9007199254740993",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "7ff8000000000000",
                                      "7ff0000000000000",
                                      "fff0000000000000",
                                      "3ff0000000000000",
                                      "7fc00000",
                                      "7f800000",
                                      "bf800000" };

static const char *pick(struct dgm_gguf *file, unsigned number, int *is_tensor)
{
    size_t count = file->key_count + file->tensor_count, k = number % count;

    *is_tensor = k >= file->key_count;
    return *is_tensor ? file->tensors[k - file->key_count].name : file->keys[k].name;
}

static unsigned next(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Takes the last line away. */
static size_t shorten(const uint8_t *data, size_t size)
{
    while (size > 0 && data[--size] != '\n')
        continue;
    while (size > 0 && data[size - 1] != '\n')
        size--;
    return size;
}

/* A line about a key or a tensor of a good checkpoint. */
static int make_line(char *line, size_t size, unsigned *state)
{
    const struct dgm_buf *base = &bases[next(state) % 2];
    struct dgm_env env = base_env;
    struct dgm_gguf file;
    const char *name, *value = values[next(state) % (sizeof values / sizeof values[0])];
    int is_tensor, length;

    memset(&file, 0, sizeof file);
    expect(dgm_gguf_parse(&env, &file, base->data, base->size, "base") == DGM_OK);
    name = pick(&file, next(state), &is_tensor);
    length = snprintf(line, size, "%s %c %u %s\n", name,
                      is_tensor ? "fn-"[next(state) % 3] : "iiddab-"[next(state) % 7],
                      next(state) % 4096, value);
    dgm_gguf_clear(&env, &file);
    return length;
}

/* Adds a line, and sometimes takes others away. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static const char *const runs[] = {
        "run\n",        "run average\n",     "run text\n",
        "run parser\n", "run parser text\n", "run parser average\n"
    };
    unsigned state = seed;
    char line[300];
    int length;

    if (folder[0] == '\0')
        begin();
    while (size > 0 && (next(&state) % 3 == 0 || size > 600))
        size = shorten(data, size);
    if (size == 0 || next(&state) % 8 == 0)
        length = snprintf(line, sizeof line, "%s", runs[next(&state) % 6]);
    else
        length = make_line(line, sizeof line, &state);
    if (length < 0 || size + (size_t)length > most)
        return size;
    memcpy(data + size, line, (size_t)length);
    return size + (size_t)length;
}
