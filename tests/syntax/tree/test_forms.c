/* test_forms.c: sentences of a treebank beside lines of text. */
#include "base/file/writer.h"
#include "syntax/conllu/conllu_reader.h"
#include "syntax/tree/forms.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

static const char beside[] = "1\tIm\t_\t_\t_\t_\t2\tdep\t_\t_\n"
                             "2\tÄpfel 1 000\t_\t_\t_\t_\t0\troot\t_\t_\n"
                             "3\tan\xC2\xA0"
                             "Bord\t_\t_\t_\t_\t2\tdep\t_\t_\n\n";

static dgm_status read_beside(struct dgm_conllu_sentence *sentence)
{
    struct dgm_env *env = test_env();
    struct dgm_conllu_reader reader;
    struct dgm_writer writer;
    char path[512];
    dgm_status status;
    int more;

    memset(&reader, 0, sizeof reader);
    memset(&writer, 0, sizeof writer);
    snprintf(path, sizeof path, "%s/beside.conllu", test_dir());
    DGM_TRY(dgm_writer_open(env, &writer, path));
    status = dgm_writer_add(env, &writer, beside, sizeof beside - 1);
    DGM_TRY(dgm_writer_close(env, &writer));
    DGM_TRY(status);
    DGM_TRY(dgm_conllu_reader_open(env, &reader, path, NULL));
    status = dgm_conllu_reader_next(env, &reader, sentence, &more);
    dgm_conllu_reader_close(env, &reader);
    return status;
}

static void expect_mismatch(const struct dgm_conllu_sentence *sentence, const char *line,
                            const char *message)
{
    struct dgm_forms words = dgm_forms_of_conllu(sentence);
    struct dgm_env *env = test_env();

    CHECK_STATUS(dgm_forms_match(env, NULL, &words, line, strlen(line), "a.de", 41), DGM_DATA);
    CHECK_STR(env->error.message, message);
    CHECK_STR(env->error.file, "a.de");
    CHECK_INT(env->error.line, 41);
    dgm_env_clear_error(env);
}

TEST(align_matches_a_line_with_other_case_and_spaces_inside_words)
{
    struct dgm_env *env = test_env();
    struct dgm_conllu_sentence sentence;
    const char *line = "im äpfel 1 000 an\xC2\xA0"
                       "bord";
    struct dgm_forms words;
    int32_t tokens[3];

    memset(&sentence, 0, sizeof sentence);
    CHECK_STATUS(read_beside(&sentence), DGM_OK);
    CHECK_INT(sentence.tree.count, 3);
    words = dgm_forms_of_conllu(&sentence);
    CHECK_STATUS(dgm_forms_match(env, tokens, &words, line, strlen(line), "a.de", 1), DGM_OK);
    CHECK_INT(tokens[0], 1);
    CHECK_INT(tokens[1], 3);
    CHECK_INT(tokens[2], 1);
    expect_mismatch(&sentence, "im äpfel 1 000",
                    "tree has 5 words, source line 41 has 4; expected as many [E_ALIGN]");
    expect_mismatch(&sentence,
                    "im birnen 1 000 an\xC2\xA0"
                    "bord",
                    "token 2 is \"birnen\" in the line, \"Äpfel 1 000\" in the tree; expected "
                    "the same words [E_ALIGN]");
    expect_mismatch(&sentence, "im äpfel 1 000 an",
                    "token 5 is \"an\" in the line, \"an\xC2\xA0"
                    "Bord\" in the tree; expected the same words [E_ALIGN]");
    dgm_conllu_clear(env, &sentence);
}
