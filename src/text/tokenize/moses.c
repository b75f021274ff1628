/*
 * moses.c: abbreviations of English, German and French that keep their full stop.
 *
 * The words are those that Moses' lists of non-breaking prefixes name. Single letters,
 * roman numerals and small numbers are told by rule instead of being listed.
 */
#include "text/tokenize/moses.h"

#include <string.h>

/* Words are set off by blanks, with one at either end. */
static const char english[] =
    " Adj Adm Adv Asst Bart Bldg Brig Bros Capt Cmdr Col Comdr Con Corp Cpl DR Dr Drs Ens Gen Gov "
    "Hon Hr Hosp Insp Lt MM MR MRS MS Maj Messrs Mlle Mme Mr Mrs Ms Msgr Op Ord Pfc Ph Prof Pvt "
    "Rep Reps Res Rev Rt Sen Sens Sfc Sgt Sr St Supt Surg v vs i.e rev e.g Rs Nos Nr Jan Feb Mar "
    "Apr Jun Jul Aug Sep Oct Nov Dec ";

static const char english_before_numbers[] = " No Art pp ";

static const char german[] = " Adj Adm Adv Asst Bart Bldg Brig Bros Capt Cmdr Col Comdr "
                             "Con Corp Cpl DR Dr Ens Gen Gov Hon"
                             " Hosp Insp Lt MM MR MRS MS Maj Messrs Mlle Mme Mr Mrs Ms "
                             "Msgr Op Ord Pfc Ph Prof Pvt Rep"
                             " Reps Res Rev Rt Sen Sens Sfc Sgt Sr St Supt Surg Mio Mrd "
                             "bzw vs usw d.h z.B u.a etc MwSt"
                             " ggf d.J D.h m.E vgl I.F z.T sogen ff u.E g.U g.g.A "
                             "c.-\xC3\xA0-d Buchst u.s.w sog u.\xC3\xA4"
                             " Std evtl Zt Chr u.U o.\xC3\xA4 Ltd b.A z.Zt spp sen SA "
                             "k.o jun i.H.v dgl dergl Co zzt usf"
                             " s.p.a Dkr bzgl BSE No Nos Art Nr pp ca Ca ";

static const char french[] =
    " A.C.N A.M art ann apr av auj lib B.P boul ca c.-\xC3\xA0-d cf ch.-l chap contr "
    "C.P.I C.Q.F.D"
    " C.N C.N.S C.S dir \xC3\xA9"
    "d e.g env al etc E.V ex fasc f\xC3\xA9m fig fr hab ibid id i.e"
    " inf LL.AA LL.AA.II LL.AA.RR LL.AA.SS L.D LL.EE LL.MM LL.MM.II.RR loc.cit masc MM "
    "ms N.B"
    " N.D.A N.D.L.R N.D.T n/r\xC3\xA9"
    "f NN.SS N.S N.D N.P.A.I p.c.c pl pp p.ex p.j P.S R.A.S"
    " R.-V R.P R.I.P SS S.S S.A S.A.I S.A.R S.A.S S.E sec sect sing S.M S.M.I.R sq sqq "
    "suiv sup"
    " suppl t\xC3\xA9l T.S.V.P vb vol vs X.O Z.I ";

enum dgm_moses_language dgm_moses_language(const char *code)
{
    if (code == NULL || strlen(code) != 2)
        return DGM_MOSES_OTHER;
    if (strcmp(code, "en") == 0)
        return DGM_MOSES_EN;
    if (strcmp(code, "de") == 0)
        return DGM_MOSES_DE;
    return strcmp(code, "fr") == 0 ? DGM_MOSES_FR : DGM_MOSES_OTHER;
}

static int is_listed(const char *list, const char *word, size_t bytes)
{
    const char *at;

    for (at = list; *at != '\0'; at++)
        if (*at == ' ' && strncmp(at + 1, word, bytes) == 0 && at[1 + bytes] == ' ')
            return 1;
    return 0;
}

/* i..xx or I..XX; tens, then ones, as they are written below twenty-one. */
static int is_roman(const char *word, size_t bytes)
{
    static const char lower[] =
        " i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx ";
    static const char upper[] =
        " I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX ";

    return is_listed(lower, word, bytes) || is_listed(upper, word, bytes);
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* German ordinals: 1. to 99. */
static int is_small_number(const char *word, size_t bytes)
{
    if (bytes == 0 || bytes > 2 || word[0] == '0')
        return 0;
    return is_digit(word[0]) && (bytes == 1 || is_digit(word[1]));
}

enum dgm_moses_prefix dgm_moses_find_prefix(enum dgm_moses_language language, const char *word,
                                            size_t bytes)
{
    int is_upper = bytes == 1 && word[0] >= 'A' && word[0] <= 'Z';
    int is_lower = bytes == 1 && word[0] >= 'a' && word[0] <= 'z';
    int found = 0;

    if (bytes == 0 || memchr(word, ' ', bytes) != NULL || memchr(word, '\0', bytes) != NULL)
        return DGM_MOSES_NO_PREFIX;
    if (language == DGM_MOSES_EN) {
        if (is_listed(english_before_numbers, word, bytes))
            return DGM_MOSES_NUMBER_PREFIX;
        found = is_upper || is_listed(english, word, bytes);
    } else if (language == DGM_MOSES_DE) {
        found = is_upper || is_lower || is_small_number(word, bytes) || is_roman(word, bytes) ||
                is_listed(german, word, bytes);
    } else if (language == DGM_MOSES_FR) {
        found = is_upper || (is_lower && word[0] != 'a') || is_listed(french, word, bytes);
    }
    return found ? DGM_MOSES_PREFIX : DGM_MOSES_NO_PREFIX;
}
