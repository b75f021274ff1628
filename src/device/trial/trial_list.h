/*
 * trial_list.h: the tasks that can be tried, TRIAL(name) for dgm_trial_<name>.
 */
TRIAL(fill)
TRIAL(axpby)
TRIAL(add)
TRIAL(relu_backward)
TRIAL(attention_forward)
TRIAL(attention_backward)
