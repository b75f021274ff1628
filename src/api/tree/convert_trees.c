/* convert_trees.c: treebanks from one format into another (data/convert/convert_trees.h). */
#include "data/convert/convert_trees.h"

#include "api/context.h"

static dgm_status check_heads(struct dgm_env *env, const struct dgm_convert_wishes *wishes,
                              const dgm_convert_options *options)
{
    const int needs_heads = dgm_convert_needs_heads(wishes->from, wishes->to);

    if (needs_heads && options->head_rules == NULL)
        return dgm_fail(
            env, DGM_USAGE,
            "brackets to %s without head-rules; expected english (Penn Treebank), first, "
            "last or word, or to: brackets, binary or words",
            dgm_treebank_forms[wishes->to]);
    if (!needs_heads && (options->head_rules != NULL || options->relations != NULL))
        return dgm_fail(env, DGM_USAGE, "%s is for brackets that become dependencies; got %s to %s",
                        options->head_rules != NULL ? "head-rules" : "relations",
                        dgm_treebank_forms[wishes->from], dgm_treebank_forms[wishes->to]);
    return DGM_OK;
}

static dgm_status check_pair(struct dgm_env *env, const struct dgm_convert_wishes *wishes,
                             const dgm_convert_options *options)
{
    DGM_TRY(check_heads(env, wishes, options));
    if (wishes->from != DGM_TREEBANK_BRACKETS && (options->free_lines || options->keep_tags))
        return dgm_fail(env, DGM_USAGE, "%s is for brackets only; got from: %s",
                        options->free_lines ? "free" : "keep-tags",
                        dgm_treebank_forms[wishes->from]);
    if (wishes->from == DGM_TREEBANK_BRACKETS && options->random_seed != 0)
        return dgm_fail(env, DGM_USAGE, "random draws heads of dependencies; got from: brackets");
    if (options->strict && options->lenient)
        return dgm_fail(env, DGM_USAGE, "strict and lenient; expected at most one of them");
    return DGM_OK;
}

static dgm_status read_options(struct dgm_env *env, struct dgm_convert_wishes *wishes,
                               const dgm_convert_options *options)
{
    int from, to, policy, rules, relations;

    DGM_TRY(dgm_options_choose(env, &from, "from", options->from, dgm_treebank_forms,
                               DGM_TREEBANK_WORDS));
    DGM_TRY(
        dgm_options_choose(env, &to, "to", options->to, dgm_treebank_forms, DGM_TREEBANK_FORMS));
    DGM_TRY(dgm_options_choose(env, &policy, "multi_root", options->multi_root,
                               dgm_multi_root_names, DGM_MULTI_ROOTS));
    DGM_TRY(dgm_options_choose(env, &rules, "head_rules", options->head_rules, dgm_head_rules_names,
                               DGM_HEAD_RULES));
    DGM_TRY(dgm_options_choose(env, &relations, "relations", options->relations,
                               dgm_bracket_relations_names, DGM_BRACKET_RELATIONS));
    wishes->from = (enum dgm_treebank_form)from;
    wishes->to = (enum dgm_treebank_form)to;
    wishes->multi_root = (enum dgm_multi_root)policy;
    wishes->rules = (enum dgm_head_rules)rules;
    wishes->relations = (enum dgm_bracket_relations)relations;
    wishes->strict = options->strict;
    wishes->lenient = options->lenient;
    wishes->allow_empty = options->allow_empty;
    wishes->free_lines = options->free_lines;
    wishes->keep_tags = options->keep_tags;
    wishes->random_seed = options->random_seed;
    return check_pair(env, wishes, options);
}

dgm_status dgm_convert_trees(dgm_context *context, const char *path,
                             const dgm_convert_options *options, dgm_write_fn write, void *user)
{
    struct dgm_convert_wishes wishes;
    dgm_convert_options chosen;
    struct dgm_env *env;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, path, "path"));
    DGM_TRY(dgm_write_check(env, write));
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_convert_options"));
    DGM_TRY(read_options(env, &wishes, &chosen));
    return dgm_convert_run(env, path, &wishes, write, user);
}
