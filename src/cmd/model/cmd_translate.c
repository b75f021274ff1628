/* cmd_translate.c: `translate`: one line of text in, one line of translation out. */
#include <string.h>
#include <unistd.h>

#include "base/ranks/line_piece.h"
#include "cmd/bar.h"
#include "cmd/common.h"
#include "cmd/model/found.h"
#include "cmd/model/models.h"
#include "cmd/model/translate_document.h"
#include "cmd/shard.h"
#include "cmd/together.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_MODEL_FILES("Model to use; several files with the same vocabularies are an ensemble"),
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    DGM_CMD_TREES("input"),
    DGM_CMD_TAG,
    DGM_CMD_LINE_TAGS,
    DGM_CMD_TARGET_TAG("Begin each translation"),
    DGM_CMD_NO_PARSE("translated"),
    { .name = "format", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "text",
      .choices = "text|html|markdown|srt|vtt|po",
      .help = "What is read and written: lines, or a document, of which what is text is "
              "translated",
      .excludes = "n-best scores attention alignment trees shard keep-tokens maxi-batch, which is "
                  "of lines" },
    { .name = "beam-size", .letter = 'b', .type = DGM_OPT_INT, .argument = "N",
      .fallback = DGM_SEARCH_TEXT(DGM_SEARCH_BEAM), .low = 1, .high = 64, .aliases = "beam",
      .help = "Hypotheses kept in the search; 1 is greedy search" },
    { .name = "beam-rule", .type = DGM_OPT_CHOICE, .argument = "RULE", .fallback = "fairseq",
      .choices = dgm_beam_rule_names + 1,
      .help = "What the search keeps and when it ends; shrinking: each finished one takes a "
              "place" },
    DGM_CMD_PENALTY("fairseq", "Length penalty: logP/len^a, logP/((5+len)/6)^a, or none"),
    { .name = "max-length-factor", .type = DGM_OPT_REAL, .argument = "X",
      .fallback = DGM_SEARCH_TEXT(DGM_SEARCH_LENGTH_FACTOR), .low = 0.1, .high = 100,
      .help = "At most this many target tokens for each source token, and ten more" },
    { .name = "n-best", .type = DGM_OPT_INT, .argument = "N", .fallback = "1", .low = 1, .high = 64,
      .aliases = "nbest",
      .help = "Write this many translations of each line, as `line ||| text ||| logp ||| score`" },
    { .name = "scores", .type = DGM_OPT_FLAG, .fallback = "false", .aliases = "with-score",
      .help = "Write `score TAB text TAB unknown`: the words of the line that the model does not "
              "know" },
    { .name = "from", .type = DGM_OPT_TEXT, .argument = "LANG",
      .help = "The language of the lines, such as de: models of others are refused, and not "
              "looked for. auto: ask --langid for that of each line. One that is in that of the "
              "translations stays as it is; of models whose translations begin with a tag, the "
              "tag in front of another is its own" },
    { .name = "to", .type = DGM_OPT_TEXT, .argument = "LANG",
      .help = "The language of the translations, likewise; models of several begin a line, or its "
              "translation, with its tag",
      .excludes = "!tag target-tag, which says it itself" },
    { .name = "via", .type = DGM_OPT_TEXT, .argument = "LANG",
      .help = "Translate into this language, and from it into that of --to: two models, or one of "
              "many languages",
      .needs = "to", .excludes = "attention, which is of one step" },
    { .name = "then", .type = DGM_OPT_FILES, .argument = "FILE",
      .help = "Translate the translations further with this model, or these: as German into "
              "English, then into French",
      .excludes = "attention, which is of one step" },
    { .name = "then-best", .type = DGM_OPT_INT, .argument = "N", .fallback = "1", .low = 1,
      .high = 64, .help = "So many translations of each line are translated further, and the best "
              "sums of scores are taken", .needs = "then via" },
    { .name = "then-tag", .type = DGM_OPT_TEXT, .argument = "TAG",
      .help = "Put this tag in front of what is translated further", .needs = "then via" },
    { .name = "then-target-tag", .type = DGM_OPT_TEXT, .argument = "TAG",
      .help = "Begin what becomes of it with this tag", .needs = "then via" },
    { .name = "langid", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "The model of languages of --from auto, which langid train has learned",
      .needs = "from=auto" },
    { .name = "allow-empty", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "A line of words may become an empty one" },
    { .name = "lines", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "auto",
      .choices = "auto|raw|tokens",
      .help = "What lines are, for a model that was trained on text cut into tokens: running text, "
              "which is cut first, and its translation put together; or tokens with blanks "
              "between; auto: each what it looks like" },
    { .name = "case", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "keep",
      .choices = "keep|auto",
      .help = "auto: translate lines in capitals, and titles, as sentences, and write the "
              "translations as the lines were" },
    { .name = "split", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "auto",
      .choices = "auto|sentence|none",
      .help = "Translate lines by their sentences: those with more than lines of the training "
              "text have, all, or none" },
    { .name = "max-length-crop", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Cut off what the model cannot read of a sentence, not at its clauses" },
    { .name = "replace-unk", .type = DGM_OPT_FLAG,
      .help = "Write the word of the line that an unknown mark, <unk>, is linked to in its place; "
              "unset: where the model has learned links (--guided-alignment)" },
    { .name = "allow-unk", .type = DGM_OPT_FLAG,
      .help = "Let translations have unknown marks; unset: where they are replaced, or the model's "
              "mark is a token, not a piece of SentencePiece" },
    { .name = "protect", .type = DGM_OPT_TEXT, .argument = "LIST",
      .help = "Let through as they are: code,tag,url,mail,placeholder,emoji,number, or all, or "
              "none; auto: no numbers that the vocabulary spells; unset: auto for running text, "
              "where no trees, links or attention are at hand" },
    DGM_CMD_SHARD,
    DGM_CMD_RANKS,
    DGM_CMD_COMPUTE_TYPE,
    { .name = "shortlist", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Use the words alone that this output of `shortlist` allows: faster" },
    DGM_CMD_BATCH_TOKENS("mini-batch-words max-tokens", "Source tokens searched together"),
    { .name = "maxi-batch", .type = DGM_OPT_INT, .argument = "N", .fallback = "1000", .low = 1,
      .high = 1000000,
      .help = "Lines read before translating; fewer when no more input is waiting" },
    { .name = "cache", .type = DGM_OPT_FLAG, .fallback = "true",
      .help = "Search a sentence that comes again once" },
    { .name = "keep-tokens", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Write words with blanks between, not running text" },
    { .name = "attention", .type = DGM_OPT_OUTPUT, .argument = "FILE",
      .help = "Write the attention weights of each line and its translation, one JSON object on a "
              "line", .excludes = "!alignment" },
    { .name = "attention-kinds", .type = DGM_OPT_TEXT, .argument = "KIND...", .fallback = "cross",
      .help = "Of these: encoder, decoder (self-attention), cross; or all", .needs = "attention" },
    { .name = "attention-layers", .type = DGM_OPT_TEXT, .argument = "LAYERS", .fallback = "last",
      .help = "Of these layers, such as 1-3; last or all", .needs = "attention" },
    { .name = "attention-heads", .type = DGM_OPT_TEXT, .argument = "HEADS", .fallback = "mean",
      .help = "Of these heads, counted from 0, such as 0-2; all; or mean, of all",
      .needs = "attention" },
    { .name = "alignment", .type = DGM_OPT_OUTPUT, .argument = "FILE",
      .help = "Write the links between the words of each line and its translation, 0-0 1-2, by the "
              "attention that --guided-alignment trains" },
    DGM_OPT_END
};
/* clang-format on */

/* What is open during a run. */
struct job {
    struct dgm_cmd *cmd;
    dgm_translator *translator;
    struct dgm_lines lines;
    struct dgm_writer writers[2]; /* of translations; of attention or links, if they are wanted */
    const char *beside_path;      /* of the second, or NULL */
    int wants_links;
    struct dgm_buf text;
    struct dgm_cmd_shard shard;
    struct dgm_ranks *ranks; /* NULL: this process works alone */
    long first; /* number in the whole input, from 0, of the first line that is translated now */
    long met;   /* lines of the whole input that were translated here or passed; with ranks */
    long done;  /* lines written so far */
    struct dgm_cmd_line_bar bar;
    struct dgm_cmd_bar document_bar;
    size_t refused; /* of these, empty for want of a tree */
    int n_best, scores;
};

static dgm_status add_number(struct job *job, double value)
{
    return dgm_buf_add_real(job->cmd->env, &job->text, value, 7);
}

/* How many words of the line the model does not know. */
static dgm_status add_unknown(struct job *job, size_t line, const char *front)
{
    int64_t unknown;
    DGM_TRY(dgm_translator_unknown(job->translator, line, NULL, &unknown));
    return dgm_buf_add_format(job->cmd->env, &job->text, "%s%lld", front, (long long)unknown);
}

/* "line ||| text ||| logp= x ||| score" as Moses' and Marian's rescoring tools read it, which
 * take any name and number between the bars for one more feature. */
static dgm_status format_n_best(struct job *job, size_t line, const char *text, size_t bytes,
                                double score, double logp)
{
    const long number = job->first + (long)line * job->shard.step;
    struct dgm_env *env = job->cmd->env;
    DGM_TRY(dgm_buf_add_format(env, &job->text, "%ld ||| ", number));
    DGM_TRY(dgm_buf_add(env, &job->text, text, bytes));
    DGM_TRY(dgm_buf_add_text(env, &job->text, " ||| logp= "));
    DGM_TRY(add_number(job, logp));
    if (job->scores)
        DGM_TRY(add_unknown(job, line, " unknown= "));
    DGM_TRY(dgm_buf_add_text(env, &job->text, " ||| "));
    DGM_TRY(add_number(job, score));
    return dgm_buf_add_char(env, &job->text, '\n');
}

static dgm_status format_scored(struct job *job, size_t line, const char *text, size_t bytes,
                                double score)
{
    struct dgm_env *env = job->cmd->env;
    DGM_TRY(add_number(job, score));
    DGM_TRY(dgm_buf_add_char(env, &job->text, '\t'));
    DGM_TRY(dgm_buf_add(env, &job->text, text, bytes));
    DGM_TRY(add_unknown(job, line, "\t"));
    return dgm_buf_add_char(env, &job->text, '\n');
}

static dgm_status format_line(struct job *job, size_t line)
{
    struct dgm_env *env = job->cmd->env;
    size_t count, rank, bytes = 0;
    const char *text = "";
    double score = 0, logp = 0;
    DGM_TRY(dgm_translator_count(job->translator, line, &count));
    if (job->n_best > 1) {
        for (rank = 0; rank < count; rank++) {
            DGM_TRY(
                dgm_translator_result(job->translator, line, rank, &text, &bytes, &score, &logp));
            DGM_TRY(format_n_best(job, line, text, bytes, score, logp));
        }
        return count > 0 ? DGM_OK : format_n_best(job, line, "", 0, 0, 0);
    }
    if (count > 0)
        DGM_TRY(dgm_translator_result(job->translator, line, 0, &text, &bytes, &score, &logp));
    if (job->scores)
        return format_scored(job, line, text, bytes, score);
    DGM_TRY(dgm_buf_add(env, &job->text, text, bytes));
    return dgm_buf_add_char(env, &job->text, '\n');
}

static dgm_status format_lines(struct job *job, size_t count)
{
    size_t i;
    dgm_buf_reset(&job->text);
    for (i = 0; i < count; i++)
        DGM_TRY(format_line(job, i));
    return DGM_OK;
}

/* The attention, or the links, of line i of a batch. */
static dgm_status get_beside(struct job *job, size_t i, const char **text, size_t *bytes)
{
    return job->wants_links ? dgm_translator_alignment(job->translator, i, text, bytes)
                            : dgm_translator_attention(job->translator, i, text, bytes);
}

static dgm_status write_beside(struct job *job, size_t count)
{
    struct dgm_env *env = job->cmd->env;
    const char *text;
    size_t bytes, i;
    for (i = 0; i < count; i++) {
        DGM_TRY(get_beside(job, i, &text, &bytes));
        DGM_TRY(dgm_writer_add(env, &job->writers[1], text, bytes));
        DGM_TRY(dgm_writer_add(env, &job->writers[1], "\n", 1));
    }
    return dgm_writer_flush(env, &job->writers[1]);
}

static dgm_status write_batch(struct job *job, size_t count)
{
    struct dgm_env *env = job->cmd->env;
    DGM_TRY(format_lines(job, count));
    job->first += (long)count * job->shard.step;
    job->done += (long)count;
    DGM_TRY(dgm_writer_add(env, &job->writers[0], job->text.data, job->text.size));
    DGM_TRY(dgm_writer_flush(env, &job->writers[0]));
    return job->beside_path != NULL ? write_beside(job, count) : DGM_OK;
}

/* Translates what is queued and writes it. Of a batch that was stopped it writes the lines that are
 * done. */
static dgm_status flush_batch(struct job *job)
{
    size_t count;
    dgm_status status = dgm_translator_run(job->translator, &count);
    if (status == DGM_INTERRUPTED)
        dgm_context_clear(job->cmd->context);
    else
        DGM_TRY(status);
    DGM_TRY(write_batch(job, count));
    dgm_cmd_line_bar_step(&job->bar, job->done);
    return status;
}

static dgm_status next_line(struct job *job, int *more)
{
    struct dgm_env *env = job->cmd->env;
    DGM_TRY(dgm_lines_next(env, &job->lines, more));
    if (*more)
        dgm_lines_warn_cut(env, &job->lines);
    return DGM_OK;
}

/* A batch grows up to maxi-batch lines while input is there. It runs as soon as input has to be
 * waited for, so an interactive user gets each answer at once. */
static dgm_status translate_lines(struct job *job)
{
    int64_t most = dgm_settings_int(&job->cmd->settings, "maxi-batch"), queued = 0;
    for (;;) {
        int more;
        if (queued > 0 && (queued == most || !dgm_lines_ready(job->cmd->env, &job->lines))) {
            DGM_TRY(flush_batch(job));
            queued = 0;
        }
        DGM_TRY(next_line(job, &more));
        if (!more)
            return queued > 0 ? flush_batch(job) : DGM_OK;
        if (!dgm_cmd_shard_has(&job->shard, job->lines.number - 1)) {
            DGM_TRY(dgm_translator_pass(job->translator, 1));
            continue;
        }
        DGM_TRY(dgm_translator_add(job->translator, job->lines.line.data, job->lines.line.size));
        queued++;
    }
}

static dgm_status translate_alone(struct job *job)
{
    dgm_status status = translate_lines(job);
    return status == DGM_INTERRUPTED ? dgm_cmd_stopped(job->cmd, job->done) : status;
}

/* ---- with other ranks ------------------------------------------------------------------------ */

static dgm_status read_piece(struct dgm_env *env, void *user, struct dgm_buf *piece,
                             enum dgm_supply *found)
{
    struct job *job = user;
    const struct dgm_line_supply supply = {
        .lines = &job->lines,
        .first = job->shard.first,
        .step = job->shard.step,
        .most = dgm_settings_int(&job->cmd->settings, "maxi-batch"),
        .warns = 1,
    };
    return dgm_line_piece_read(env, &supply, piece, found);
}

/* Lines up to this one, counted from 0, are met by others. */
static dgm_status pass_to(struct job *job, long number)
{
    DGM_TRY(dgm_translator_pass(job->translator, number - job->met));
    job->met = number;
    return DGM_OK;
}

static dgm_status queue_piece(struct job *job, const struct dgm_buf *piece)
{
    struct dgm_line_piece line = { .at = 0 };
    int is_first = 1;
    while (dgm_line_piece_next(piece, job->shard.step, &line)) {
        if (is_first)
            job->first = line.number;
        is_first = 0;
        DGM_TRY(pass_to(job, line.number));
        DGM_TRY(dgm_translator_add(job->translator, line.text, line.bytes));
        job->met++;
    }
    return DGM_OK;
}

/* What stands before the texts of an answer. */
struct answer_head {
    uint64_t lines, bytes; /* bytes: of translations; attention or links are the rest */
    struct dgm_translator_tally tally;
};

static dgm_status add_answer(struct job *job, size_t count, struct dgm_buf *answer)
{
    struct dgm_env *env = job->cmd->env;
    struct answer_head head;
    const char *text;
    size_t bytes, i;
    DGM_TRY(format_lines(job, count));
    head.lines = count;
    head.bytes = job->text.size;
    dgm_translator_take_tally(job->translator, &head.tally);
    DGM_TRY(dgm_buf_add(env, answer, &head, sizeof head));
    DGM_TRY(dgm_buf_add(env, answer, job->text.data, job->text.size));
    for (i = 0; i < count && job->beside_path != NULL; i++) {
        DGM_TRY(get_beside(job, i, &text, &bytes));
        DGM_TRY(dgm_buf_add(env, answer, text, bytes));
        DGM_TRY(dgm_buf_add_char(env, answer, '\n'));
    }
    return DGM_OK;
}

static dgm_status work_on_piece(struct dgm_env *env, void *user, const struct dgm_buf *piece,
                                struct dgm_buf *answer)
{
    struct job *job = user;
    size_t count;
    (void)env;
    DGM_TRY(queue_piece(job, piece));
    DGM_TRY(dgm_translator_run(job->translator, &count));
    return add_answer(job, count, answer);
}

static dgm_status write_answer(struct dgm_env *env, void *user, const struct dgm_buf *answer)
{
    struct job *job = user;
    struct answer_head head;
    const char *text = answer->data + sizeof head;
    memcpy(&head, answer->data, sizeof head);
    dgm_translator_add_tally(job->translator, &head.tally);
    DGM_TRY(dgm_writer_add(env, &job->writers[0], text, (size_t)head.bytes));
    DGM_TRY(dgm_writer_flush(env, &job->writers[0]));
    job->done += (long)head.lines;
    dgm_cmd_line_bar_step(&job->bar, job->done);
    if (job->beside_path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_writer_add(env, &job->writers[1], text + head.bytes,
                           answer->size - sizeof head - (size_t)head.bytes));
    return dgm_writer_flush(env, &job->writers[1]);
}

static dgm_status translate_together(struct job *job)
{
    const struct dgm_dealing dealing = { read_piece, write_answer, work_on_piece, job };
    struct dgm_env *env = job->cmd->env;
    dgm_status status;
    dgm_cmd_log_again(job->cmd, job->ranks);
    status = dgm_deal(env, job->ranks, &dealing);
    if (job->ranks->rank != 0)
        return status;
    if (status == DGM_INTERRUPTED && job->ranks->failed < 0)
        return dgm_cmd_stopped(job->cmd, job->done);
    DGM_TRY(status);
    return pass_to(job, job->lines.number);
}

/* ---- the run --------------------------------------------------------------------------------- */

/* The bar would stand among the translations if these go to the terminal too. */
static int wants_bar(const struct dgm_cmd *cmd)
{
    const char *output = dgm_settings_text(&cmd->settings, "output");
    return cmd->progress && !(strcmp(output, "-") == 0 && isatty(1));
}

static void choose_bar(struct job *job, dgm_translator_options *chosen)
{
    const int is_document = dgm_settings_choice(&job->cmd->settings, "format") > 0;

    job->document_bar = (struct dgm_cmd_bar){ .env = job->cmd->env, .unit = "segments" };
    if (!wants_bar(job->cmd))
        return;
    chosen->progress = is_document ? dgm_cmd_bar_show : dgm_cmd_line_bar_show;
    chosen->progress_user = is_document ? (void *)&job->document_bar : (void *)&job->bar;
}

/* What the user has not said is the model's to say, or the library's. */
static void choose_search(const struct dgm_settings *settings, dgm_translator_options *chosen)
{
    if (dgm_settings_is_set(settings, "beam-size"))
        chosen->beam = (int)dgm_settings_int(settings, "beam-size");
    if (dgm_settings_is_set(settings, "beam-rule"))
        chosen->beam_rule = dgm_settings_text(settings, "beam-rule");
    if (dgm_settings_is_set(settings, "penalty"))
        chosen->penalty = dgm_settings_text(settings, "penalty");
    chosen->has_alpha = dgm_settings_is_set(settings, "normalize");
    if (chosen->has_alpha)
        chosen->alpha = dgm_settings_real(settings, "normalize");
    if (dgm_settings_is_set(settings, "max-length-factor"))
        chosen->length_factor = dgm_settings_real(settings, "max-length-factor");
}

/* The second step: as the first, but for what is about lines as they come. */
static dgm_status choose_further(struct job *job, dgm_translator_options *first,
                                 dgm_translator_options *then, const char **names)
{
    const struct dgm_settings *settings = &job->cmd->settings;

    then->model_count = dgm_settings_count(settings, "then");
    if (then->model_count == 0)
        return DGM_OK;
    if (then->model_count > DGM_CMD_MODELS)
        return dgm_fail(job->cmd->env, DGM_USAGE, "--then with %zu files; expected at most %d",
                        then->model_count, (int)DGM_CMD_MODELS);
    if (job->ranks != NULL && job->ranks->count > 1)
        return dgm_fail(job->cmd->env, DGM_USAGE,
                        "--then and --via on %d ranks; expected one, or a run for each step",
                        job->ranks->count);
    for (size_t i = 0; i < then->model_count; i++)
        names[i] = dgm_settings_item(settings, "then", i);
    then->models = names;
    choose_search(settings, then);
    then->n_best = job->n_best;
    then->batch_tokens = first->batch_tokens;
    then->tag = dgm_settings_text(settings, "then-tag");
    then->no_line_tags = 1;
    then->target_tag = dgm_settings_text(settings, "then-target-tag");
    then->keep_tokens = first->keep_tokens;
    then->alignment = first->alignment;
    then->allow_empty = first->allow_empty;
    then->protect = first->protect;
    then->replace_unk = first->replace_unk;
    then->no_replace_unk = first->no_replace_unk;
    then->allow_unk = first->allow_unk;
    then->no_allow_unk = first->no_allow_unk;
    then->no_cache = first->no_cache;
    then->compute_type = first->compute_type;
    first->then = then;
    first->keep_tokens = 0;
    first->n_best = (int)dgm_settings_int(settings, "then-best");
    return DGM_OK;
}

static dgm_status open_translator(struct job *job)
{
    struct dgm_settings *settings = &job->cmd->settings;
    const char *names[DGM_CMD_MODELS], *further[DGM_CMD_MODELS];
    dgm_translator_options chosen = { .struct_size = sizeof chosen };
    dgm_translator_options then = { .struct_size = sizeof then };
    DGM_TRY(dgm_cmd_models(job->cmd, names, &chosen.model_count));
    chosen.models = names;
    choose_search(settings, &chosen);
    chosen.n_best = job->n_best;
    chosen.batch_tokens = (int)dgm_settings_int(settings, "batch-tokens");
    chosen.trees = dgm_cmd_choose_trees(settings, &chosen.no_trees);
    chosen.no_parse = dgm_cmd_no_parse(settings);
    chosen.tag = dgm_settings_text(settings, "tag");
    chosen.no_line_tags = !dgm_settings_flag(settings, "line-tags");
    chosen.target_tag = dgm_settings_text(settings, "target-tag");
    chosen.keep_tokens = dgm_settings_flag(settings, "keep-tokens");
    chosen.allow_empty = dgm_settings_flag(settings, "allow-empty");
    chosen.lines = dgm_settings_text(settings, "lines");
    chosen.letter_case = dgm_settings_text(settings, "case");
    chosen.split = dgm_settings_text(settings, "split");
    chosen.protect = dgm_settings_text(settings, "protect");
    chosen.langid = dgm_settings_text(settings, "langid");
    chosen.crop = dgm_settings_flag(settings, "max-length-crop");
    if (dgm_settings_text(settings, "replace-unk") != NULL) {
        chosen.replace_unk = dgm_settings_flag(settings, "replace-unk");
        chosen.no_replace_unk = !chosen.replace_unk;
    }
    if (dgm_settings_text(settings, "allow-unk") != NULL) {
        chosen.allow_unk = dgm_settings_flag(settings, "allow-unk");
        chosen.no_allow_unk = !chosen.allow_unk;
    }
    chosen.no_cache = !dgm_settings_flag(settings, "cache");
    chosen.attention = job->beside_path != NULL && !job->wants_links;
    chosen.alignment = job->wants_links;
    chosen.attention_kinds = dgm_settings_text(settings, "attention-kinds");
    chosen.attention_layers = dgm_settings_text(settings, "attention-layers");
    chosen.attention_heads = dgm_settings_text(settings, "attention-heads");
    chosen.compute_type = dgm_settings_text(settings, "compute-type");
    chosen.shortlist = dgm_settings_text(settings, "shortlist");
    choose_bar(job, &chosen);
    DGM_TRY(choose_further(job, &chosen, &then, further));
    if (chosen.beam > 0 && chosen.n_best > chosen.beam)
        return dgm_fail(job->cmd->env, DGM_USAGE, "--%s %d; expected at most --beam-size %d",
                        chosen.then != NULL ? "then-best" : "n-best", chosen.n_best, chosen.beam);
    return dgm_translator_new(job->cmd->context, &chosen, &job->translator);
}

/* Opens the outputs, translates, and closes them. */
static dgm_status run_files(struct job *job, const char *output)
{
    struct dgm_env *env = job->cmd->env;
    dgm_status status;
    DGM_TRY(dgm_cmd_open_long_output(env, &job->writers[0], output));
    if (job->beside_path != NULL)
        DGM_TRY_OUT(dgm_cmd_open_long_output(env, &job->writers[1], job->beside_path));
    dgm_cmd_line_bar_begin(&job->bar, env, &job->lines);
    status = job->ranks != NULL ? translate_together(job) : translate_alone(job);
    dgm_cmd_line_bar_end(&job->bar);
    if (status == DGM_OK)
        status = dgm_translator_finish(job->translator, &job->refused);
out:
    return dgm_cmd_close_outputs(env, job->writers, 2, status);
}

/* Standard input is one of the text, the trees and the shortlist. */
static dgm_status read_once(struct dgm_cmd *cmd, const char *input)
{
    const char *trees = dgm_settings_text(&cmd->settings, "trees");
    const char *shortlist = dgm_settings_text(&cmd->settings, "shortlist");

    DGM_TRY(dgm_cmd_read_once(cmd, input, trees));
    DGM_TRY(dgm_cmd_read_once(cmd, input, shortlist));
    return dgm_cmd_read_once(cmd, trees, shortlist);
}

/* The others have neither input nor output. */
static dgm_status run_job(struct job *job, const char *input, const char *output)
{
    struct dgm_env *env = job->cmd->env;
    if (job->ranks != NULL && job->ranks->rank != 0)
        return translate_together(job);
    DGM_TRY(dgm_lines_open(env, &job->lines, input));
    job->lines.path = dgm_lines_name(input);
    DGM_TRY(run_files(job, output));
    return dgm_cmd_refused_lines(env, job->refused);
}

/* One of the two: an answer of another rank has room for one text beside the translations. */
static void choose_beside(struct job *job)
{
    const char *links = dgm_settings_text(&job->cmd->settings, "alignment");

    job->wants_links = links != NULL;
    job->beside_path = links != NULL ? links : dgm_settings_text(&job->cmd->settings, "attention");
}

/* What translates further, where it is wanted; before the models of the first step are found. */
static dgm_status choose_then(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    const struct dgm_cmd_wish wish = { .kind = DGM_SHELF_TRANSLATION,
                                       .from = dgm_settings_text(settings, "via"),
                                       .to = dgm_settings_text(settings, "to"),
                                       .is_further = 1 };

    if (wish.from == NULL && dgm_settings_count(settings, "then") == 0)
        return DGM_OK;
    DGM_TRY(dgm_cmd_find_models(cmd, &wish));
    return dgm_cmd_ask_languages(cmd, &wish);
}

/* Which models they are, and which tags ask them for these languages. */
static dgm_status choose_models(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    struct dgm_cmd_wish wish = { .kind = DGM_SHELF_TRANSLATION,
                                 .from = dgm_settings_text(settings, "from"),
                                 .to = dgm_settings_text(settings, "to") };

    if (wish.from != NULL && strcmp(wish.from, "auto") == 0) {
        wish.from = NULL;
        if (dgm_settings_text(settings, "langid") == NULL)
            return dgm_fail(cmd->env, DGM_USAGE, "--from auto goes with --langid FILE");
    }
    DGM_TRY(choose_then(cmd));
    if (dgm_settings_count(settings, "then") > 0)
        wish.to = dgm_settings_text(settings, "via");
    DGM_TRY(dgm_cmd_find_models(cmd, &wish));
    return dgm_cmd_ask_languages(cmd, &wish);
}

static dgm_status run_rank(struct dgm_cmd *cmd, struct dgm_ranks *ranks)
{
    const char *input = dgm_settings_text(&cmd->settings, "input");
    const char *output = dgm_settings_text(&cmd->settings, "output");
    struct job job = { .cmd = cmd, .ranks = ranks };
    dgm_status status;
    job.n_best = (int)dgm_settings_int(&cmd->settings, "n-best");
    job.scores = dgm_settings_flag(&cmd->settings, "scores");
    choose_beside(&job);
    DGM_TRY(read_once(cmd, input));
    DGM_TRY(choose_models(cmd));
    DGM_TRY(dgm_cmd_read_shard(cmd, &job.shard));
    job.first = job.shard.first;
    DGM_TRY(open_translator(&job));
    if (dgm_settings_choice(&cmd->settings, "format") > 0)
        status = dgm_cmd_translate_document(cmd, job.translator, ranks);
    else
        status = run_job(&job, input, output);
    dgm_lines_close(cmd->env, &job.lines);
    dgm_buf_clear(cmd->env, &job.text);
    dgm_translator_free(job.translator);
    return status;
}

const struct dgm_command dgm_command_translate = {
    .name = "translate",
    .summary = "Translate text, line by line",
    .usage = "[--models FILE...] [OPTION]... < TEXT",
    .example = "dragoman translate -m model.gguf < test.en > test.de",
    .aliases = "decode",
    .options = options,
    .saves = DGM_CMD_SAVES,
    .computes = 1,
    .run_ranks = run_rank,
};
