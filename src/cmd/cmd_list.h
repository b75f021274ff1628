/*
 * cmd_list.h: the commands, in the order of the help. CMD(name): the command is
 * dgm_command_<name>, in a cmd_<name>.c below src/cmd. A line here gives it its help, its place in
 * the completions and the tests over all commands; doc/dragoman.1 needs a section for it.
 */
CMD(train)
CMD(translate)
CMD(rescore)
CMD(train_parser)
CMD(parse)
CMD(annotate)
CMD(score)
CMD(parse_eval)
CMD(draw_tree)
CMD(draw_attention)
CMD(convert_trees)
CMD(bpe_learn)
CMD(bpe_apply)
CMD(bpe_vocab)
CMD(bpe_undo)
CMD(tok)
CMD(detok)
CMD(vocab)
CMD(inspect)
CMD(average)
CMD(devices)
CMD(help)
CMD(version)
CMD(completion)
