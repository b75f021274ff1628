/*
 * by_list.h: the criteria of `score --by`, one line each: BY(name) stands for dgm_by_<name> in
 * by_<name>.c, BY_FIRST(name) is the first. The line buys the name in --by and in its help.
 */
#ifndef BY_FIRST
#define BY_FIRST(name) BY(name)
#endif

BY_FIRST(length)
BY(frequency)
BY(case)
BY(relation)
BY(distance)
BY(depth)

#undef BY_FIRST
#undef BY
