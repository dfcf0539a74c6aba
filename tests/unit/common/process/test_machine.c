#include "common/process/machine.h"

#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/unit/scratch.h"

static void put(const char *path, const char *text)
{
  char part[256];
  for (const char *slash = path; (slash = strchr(slash, '/')) != NULL; slash++) {
    snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
    mkdir(part, 0700);
  }
  scratch_write(path, text);
}

static const struct machine_cgroups HERE = {"cgroup", "root"};

static void groups_of_version_2_and_their_parents_count(void **state)
{
  (void)state;
  put("cgroup", "0::/job/step\n");
  put("root/job/memory.max", "1000000\n");
  put("root/job/step/memory.max", "max\n");
  put("root/job/cpu.max", "max 100000\n");
  put("root/job/step/cpu.max", "250000 100000\n");
  assert_int_equal(machine_cgroup_memory(&HERE), 1000000);
  assert_int_equal(machine_cgroup_cores(&HERE), 3);
}

static void groups_of_version_1_have_separate_folders(void **state)
{
  (void)state;
  put("cgroup", "4:memory:/job\n3:cpuset:/x\n1:cpuacct,cpu:/job\n0::/\n");
  put("root/memory/memory.limit_in_bytes", "9223372036854771712\n");
  put("root/memory/job/memory.limit_in_bytes", "5000000\n");
  put("root/cpu/job/cpu.cfs_quota_us", "50000\n");
  put("root/cpu/job/cpu.cfs_period_us", "100000\n");
  assert_int_equal(machine_cgroup_memory(&HERE), 5000000);
  assert_int_equal(machine_cgroup_cores(&HERE), 1);
  put("root/cpu/job/cpu.cfs_quota_us", "-1\n");
  assert_int_equal(machine_cgroup_cores(&HERE), UINT32_MAX);
}

/* A container may see its own group as the root, while /proc gives the path on the host. */
static void a_missing_path_counts_as_the_root(void **state)
{
  (void)state;
  put("cgroup", "4:memory:/docker/abc\n");
  put("root/memory/memory.limit_in_bytes", "7000000\n");
  assert_int_equal(machine_cgroup_memory(&HERE), 7000000);
}

static void without_groups_there_is_no_limit(void **state)
{
  (void)state;
  assert_int_equal(machine_cgroup_memory(&HERE), UINT64_MAX);
  assert_int_equal(machine_cgroup_cores(&HERE), UINT32_MAX);
  put("cgroup", "nonsense\n::\n7:\n0::/\n");
  put("root/memory.max", "many\n");
  put("root/cpu.max", "5\n");
  assert_int_equal(machine_cgroup_memory(&HERE), UINT64_MAX);
  assert_int_equal(machine_cgroup_cores(&HERE), UINT32_MAX);
}

static void the_affinity_mask_counts(void **state)
{
  (void)state;
  cpu_set_t before, one;
  assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (size_t i = 0; CPU_COUNT(&one) == 0; i++)
    if (CPU_ISSET(i, &before))
      CPU_SET(i, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  assert_int_equal(machine_cores(), 1);
  assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
  assert_true(machine_cores() <= (uint32_t)CPU_COUNT(&before));
}

static void the_limit_of_address_space_counts(void **state)
{
  (void)state;
  struct rlimit before;
  assert_true(machine_memory() > 1 << 20);
#ifndef HAICHI_SANITIZED
  assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
  const struct rlimit small = {256 << 20, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
  assert_int_equal(machine_memory(), 256 << 20);
  assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
#else
  (void)before;
#endif
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(groups_of_version_2_and_their_parents_count),
      IN_FOLDER(groups_of_version_1_have_separate_folders),
      IN_FOLDER(a_missing_path_counts_as_the_root),
      IN_FOLDER(without_groups_there_is_no_limit),
      cmocka_unit_test(the_affinity_mask_counts),
      cmocka_unit_test(the_limit_of_address_space_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
