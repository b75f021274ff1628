/*
 * cmd_list.h: the commands, in the order of the help. CMD(name): the command is
 * dgm_command_<name>, in cmd_<name>.c.
 */
CMD(train)
CMD(translate)
CMD(rescore)
CMD(score)
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
