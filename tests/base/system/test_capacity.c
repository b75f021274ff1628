/*
 * test_capacity.c: what control groups say is read as it is written; what the machine has is known.
 */
#include "base/system/capacity.h"

#include <string.h>

#include "test.h"

TEST(capacity_reads_limits_of_control_groups)
{
    CHECK_INT(dgm_capacity_limit("1073741824\n"), 1073741824);
    CHECK_INT(dgm_capacity_limit("9223372036854771712\n"), INT64_C(9223372036854771712));
    CHECK_INT(dgm_capacity_limit("max\n"), 0);
    CHECK_INT(dgm_capacity_limit(""), 0);
    CHECK_INT(dgm_capacity_limit("0\n"), 0);
    CHECK_INT(dgm_capacity_limit("-1\n"), 0);
    CHECK_INT(dgm_capacity_limit("99999999999999999999\n"), 0);
}

static const char *group_of(const char *text)
{
    static char group[100];
    const char *path = "";
    const int length = dgm_capacity_group(text, &path);

    memcpy(group, path, (size_t)length);
    group[length] = '\0';
    return group;
}

TEST(capacity_finds_the_control_group)
{
    CHECK_STR(group_of("0::/\n"), "/");
    CHECK_STR(group_of("0::/user.slice/job_7\n"), "/user.slice/job_7");
    CHECK_STR(group_of("5:memory:/a\n1:name=x:/y\n0::/b/c"), "/b/c");
    CHECK_STR(group_of("5:memory:/a\n"), "");
    CHECK_STR(group_of("10::/no\n"), "");
    CHECK_STR(group_of(""), "");
}

TEST(capacity_of_this_machine_stays_the_same)
{
    const int64_t bytes = dgm_capacity_memory();

    CHECK(bytes >= 0);
    CHECK_INT(dgm_capacity_memory(), bytes);
}
