/* test_writing.c: the script of a text, and whether its words are set apart. */
#include "api/program.h"
#include "api_case.h"

static void look(dgm_context *context, struct dgm_writing *writing, const char *text)
{
    char path[512];

    put_file(path, "writing.txt", text);
    CHECK_STATUS(dgm_text_writing(context, path, writing), DGM_OK);
}

TEST(api_writing_tells_the_script_of_most_letters)
{
    struct dgm_writing english, german, russian, chinese, digits, thai;
    dgm_context *context;

    CHECK_STATUS(new_context(&context), DGM_OK);
    look(context, &english, "A dog \xD0\xBF.\n");
    look(context, &german, "Ein Hund\n\xFF\n\xC3\xBC\n");
    look(context, &russian, "\xD0\xBF\xD1\x91\xD1\x81 x\n");
    look(context, &chinese, "\xE7\x8B\x97\xE8\xB7\x91 x\n");
    look(context, &thai, "\xE0\xB8\x81\xE0\xB8\x81");
    look(context, &digits, "12 34\n");
    CHECK_INT(english.script, german.script);
    CHECK(english.script > 0 && russian.script > 0 && chinese.script > 0);
    CHECK(russian.script != english.script && chinese.script != english.script);
    CHECK_INT(digits.script, 0);
    CHECK(!english.is_unspaced && !russian.is_unspaced && !digits.is_unspaced);
    CHECK(chinese.is_unspaced && thai.is_unspaced);
    dgm_context_free(context);
}
