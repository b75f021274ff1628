/*
 * trial_list.h: the tasks that can be tried, TRIAL(name) for dgm_trial_<name>.
 */
TRIAL(fill)
TRIAL(axpby)
TRIAL(add)
TRIAL(relu_backward)
TRIAL(embed_forward)
TRIAL(embed_backward)
TRIAL(add_rows)
TRIAL(residual_forward)
TRIAL(residual_backward)
TRIAL(copy_rows)
TRIAL(copy_columns)
