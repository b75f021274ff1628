/*
 * trial_list.h: the tasks that can be tried, TRIAL(name) for dgm_trial_<name>.
 */
TRIAL(fill)
TRIAL(axpby)
TRIAL(add)
TRIAL(relu_backward)
TRIAL(norm_forward)
TRIAL(norm_backward)
TRIAL(column_sums)
TRIAL(cross_entropy)
TRIAL(log_softmax)
TRIAL(top_k)
TRIAL(sum_squares)
TRIAL(adam)
