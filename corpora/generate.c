/*
 * generate.c: writes the built-in English-German treebank.
 *
 *     generate --seed N --train N --dev N --test N --out DIR
 *
 * makes DIR/{train,dev,test}.{en,de} and the same with .conllu. Same seed, same bytes.
 * No English sentence occurs twice, in one split or in two. The last line on standard
 * output tells how many sentences hold an attachment that the English words leave open
 * and the German ones show.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/outputs.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "base/philox.h"
#include "line.h"
#include "meaning.h"
#include "syntax/conllu/conllu.h"

#define SHORTEST 6
#define LONGEST 26
#define MOST_SENTENCES 1000000

enum split { TRAIN, DEV, TEST, SPLITS };

static const char *const split_name[SPLITS] = { "train", "dev", "test" };

struct settings {
    uint64_t seed;
    uint64_t size[SPLITS];
    const char *out;
};

/* Text and trees of one language in one split. */
struct side {
    struct dgm_writer *text, *trees;
    long sentences;
};

enum { WRITERS = SPLITS * 2 * 2 };

struct generator {
    struct dgm_env env;
    struct dgm_random random;
    struct dgm_map seen; /* English sentences */
    struct dgm_buf key;
    struct dgm_writer writers[WRITERS]; /* whose files take their places together */
    struct side side[SPLITS][2];        /* English, German */
    long open_choices;                  /* sentences that only the tree decides */
};

/* ---- writing ---------------------------------------------------------------------- */

static dgm_status write_text(struct dgm_env *env, struct dgm_writer *writer,
                             const struct line *line)
{
    int i;

    for (i = 0; i < line->count; i++) {
        const char *form = line->token[i].form;

        if (i > 0)
            DGM_TRY(dgm_writer_add(env, writer, " ", 1));
        DGM_TRY(dgm_writer_add(env, writer, form, strlen(form)));
    }
    return dgm_writer_add(env, writer, "\n", 1);
}

static dgm_status write_tree(struct dgm_env *env, struct side *side, const struct line *line,
                             const char *split)
{
    const char *field[DGM_CONLLU_COLUMNS] = { NULL };
    char text[64], id[16], head[16];
    int i;

    snprintf(text, sizeof text, "# sent_id = %s-%ld\n# text = ", split, side->sentences);
    DGM_TRY(dgm_writer_add(env, side->trees, text, strlen(text)));
    DGM_TRY(write_text(env, side->trees, line));
    for (i = 0; i < line->count; i++) {
        const struct token *token = &line->token[i];

        snprintf(id, sizeof id, "%d", i + 1);
        snprintf(head, sizeof head, "%d", token->head == i ? 0 : token->head + 1);
        field[DGM_CONLLU_ID] = id;
        field[DGM_CONLLU_FORM] = token->form;
        field[DGM_CONLLU_LEMMA] = token->lemma;
        field[DGM_CONLLU_UPOS] = token->upos;
        field[DGM_CONLLU_FEATS] = token->feats[0] != '\0' ? token->feats : NULL;
        field[DGM_CONLLU_HEAD] = head;
        field[DGM_CONLLU_DEPREL] = token->deprel;
        DGM_TRY(dgm_conllu_write_row(env, side->trees, field));
    }
    return dgm_writer_add(env, side->trees, "\n", 1);
}

static dgm_status write_side(struct dgm_env *env, struct side *side, const struct line *line,
                             const char *split)
{
    side->sentences++;
    DGM_TRY(write_text(env, side->text, line));
    return write_tree(env, side, line, split);
}

static dgm_status open_files(struct generator *generator, const char *folder)
{
    static const char *const language[] = { "en", "de" };
    struct dgm_writer *next = generator->writers;
    char path[1024];
    int split, l;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return dgm_fail(&generator->env, DGM_FAILURE, "%s: %s", folder, strerror(errno));
    for (split = 0; split < SPLITS; split++) {
        for (l = 0; l < 2; l++) {
            struct side *side = &generator->side[split][l];

            side->text = next++;
            side->trees = next++;
            snprintf(path, sizeof path, "%s/%s.%s", folder, split_name[split], language[l]);
            DGM_TRY(dgm_writer_open(&generator->env, side->text, path));
            snprintf(path, sizeof path, "%s/%s.%s.conllu", folder, split_name[split], language[l]);
            DGM_TRY(dgm_writer_open(&generator->env, side->trees, path));
        }
    }
    return DGM_OK;
}

/* Text and trees of another seed beside each other would be no treebank. */
static dgm_status close_files(struct generator *generator)
{
    DGM_TRY(dgm_outputs_finish(&generator->env, generator->writers, WRITERS));
    return dgm_outputs_place(&generator->env, generator->writers, WRITERS);
}

/* ---- drawing ---------------------------------------------------------------------- */

static int same_words(const struct line *a, const struct line *b)
{
    int i;

    if (a->count != b->count)
        return 0;
    for (i = 0; i < a->count; i++) {
        if (strcmp(a->token[i].form, b->token[i].form) != 0)
            return 0;
    }
    return 1;
}

/*
 * Turns each choice of attachment the other way and says both sentences again. Where the English words
 * stay the same and the German ones do not, no model can translate by the words alone: the tree
 * decides. Such sentences are what the treebank is for.
 */
static int only_tree_decides(struct meaning *meaning, const struct line *english,
                             const struct line *german)
{
    struct line other_english, other_german;
    int decides = 0;
    int i;

    for (i = 0; i < meaning->sites && !decides; i++) {
        *meaning->site[i] ^= 1;
        english_say(meaning, &other_english);
        german_say(meaning, &other_german);
        *meaning->site[i] ^= 1;
        decides = same_words(english, &other_english) && !same_words(german, &other_german);
    }
    return decides;
}

static int fits(const struct line *line)
{
    return line->count >= SHORTEST && line->count <= LONGEST;
}

/* Whether this English sentence is new; if so, it is remembered. */
static dgm_status remember(struct generator *generator, const struct line *line, int *is_new)
{
    struct dgm_map_entry *entry;
    int i;

    dgm_buf_reset(&generator->key);
    for (i = 0; i < line->count; i++) {
        DGM_TRY(dgm_buf_add_text(&generator->env, &generator->key, line->token[i].form));
        DGM_TRY(dgm_buf_add_char(&generator->env, &generator->key, ' '));
    }
    return dgm_map_insert(&generator->env, &generator->seen, generator->key.data,
                          generator->key.size, &entry, is_new);
}

static dgm_status draw_pair(struct generator *generator, struct line *english, struct line *german)
{
    struct meaning meaning;
    int is_new = 0;

    /* Drawing again costs less than a grammar that would draw nothing too long and nothing twice. */
    while (!is_new) {
        if (!meaning_draw(&meaning, &generator->random))
            continue;
        english_say(&meaning, english);
        german_say(&meaning, german);
        if (fits(english) && fits(german))
            DGM_TRY(remember(generator, english, &is_new));
    }
    generator->open_choices += only_tree_decides(&meaning, english, german);
    return DGM_OK;
}

/* The split of every sentence, shuffled, so that the splits are alike. */
static uint32_t *deal_splits(struct generator *generator, const struct settings *settings,
                             size_t total)
{
    uint32_t *split = dgm_alloc(&generator->env, total, sizeof *split);
    size_t at = 0;
    uint64_t i;
    uint32_t s;

    if (split == NULL)
        return NULL;
    for (s = 0; s < SPLITS; s++) {
        for (i = 0; i < settings->size[s]; i++)
            split[at++] = s;
    }
    dgm_random_shuffle(&generator->random, split, total);
    return split;
}

static dgm_status generate(struct generator *generator, const struct settings *settings)
{
    size_t total = (size_t)(settings->size[TRAIN] + settings->size[DEV] + settings->size[TEST]);
    uint32_t *split = NULL;
    struct line english, german;
    dgm_status status;
    size_t i;

    DGM_TRY_OUT(open_files(generator, settings->out));
    dgm_random_init(&generator->random, settings->seed, 0, 0, 0);
    split = deal_splits(generator, settings, total);
    status = generator->env.error.status;
    for (i = 0; i < total && status == DGM_OK; i++) {
        struct side *side = generator->side[split[i]];

        DGM_TRY_OUT(draw_pair(generator, &english, &german));
        DGM_TRY_OUT(write_side(&generator->env, &side[0], &english, split_name[split[i]]));
        DGM_TRY_OUT(write_side(&generator->env, &side[1], &german, split_name[split[i]]));
    }
    if (status == DGM_OK)
        DGM_TRY_OUT(close_files(generator));
out:
    for (i = 0; i < WRITERS; i++)
        dgm_writer_abandon(&generator->env, &generator->writers[i]);
    dgm_release(&generator->env, split);
    dgm_map_clear(&generator->env, &generator->seen);
    dgm_buf_clear(&generator->env, &generator->key);
    return status;
}

/* ---- command line ----------------------------------------------------------------- */

static int read_size(uint64_t *out, const char *text)
{
    return dgm_number_uint(out, text, strlen(text)) && *out <= MOST_SENTENCES;
}

static int read_option(struct settings *settings, const char *name, const char *value)
{
    int split;

    if (strcmp(name, "--out") == 0) {
        settings->out = value;
        return value[0] != '\0';
    }
    if (strcmp(name, "--seed") == 0)
        return dgm_number_uint(&settings->seed, value, strlen(value));
    for (split = 0; split < SPLITS; split++) {
        if (strncmp(name, "--", 2) == 0 && strcmp(name + 2, split_name[split]) == 0)
            return read_size(&settings->size[split], value);
    }
    return 0;
}

int main(int argc, char **argv)
{
    static struct generator generator;
    struct settings settings = { 1, { 8000, 200, 300 }, NULL };
    int i;

    for (i = 1; i + 1 < argc && read_option(&settings, argv[i], argv[i + 1]); i += 2)
        continue;
    if (i != argc || settings.out == NULL) {
        fprintf(stderr,
                "usage: generate [--seed N] [--train N] [--dev N] [--test N] --out DIR\n"
                "sizes up to %d; defaults 1, 8000, 200, 300\n",
                MOST_SENTENCES);
        return 2;
    }
    dgm_env_init(&generator.env);
    if (generate(&generator, &settings) != DGM_OK) {
        fprintf(stderr, "generate: %s\n", generator.env.error.message);
        return dgm_status_exit_code(generator.env.error.status);
    }
    printf("%ld train, %ld dev, %ld test; in %ld sentences only the tree decides\n",
           generator.side[TRAIN][0].sentences, generator.side[DEV][0].sentences,
           generator.side[TEST][0].sentences, generator.open_choices);
    return 0;
}
