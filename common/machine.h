/** @file machine.h
 *  What this process may use of the machine: processor affinity, control groups (v1 and v2) and
 *  resource limits count, not only what the machine has.
 */
#ifndef COMMON_MACHINE_H
#define COMMON_MACHINE_H

#include <stdint.h>

/** Where the kernel says which control groups the process is in, and where these are mounted. */
struct machine_cgroups {
  const char *membership; /**< "/proc/self/cgroup" */
  const char *root;       /**< "/sys/fs/cgroup" */
};

/** Bytes that the control groups allow, those of their parents included; UINT64_MAX: no limit. */
uint64_t machine_cgroup_memory(const struct machine_cgroups *g);

/** Cores that the control groups' quotas are worth, rounded up; UINT32_MAX: no limit. */
uint32_t machine_cgroup_cores(const struct machine_cgroups *g);

/** Cores, at least 1: those of the affinity mask, but no more than the control groups allow. */
uint32_t machine_cores(void);

/** Bytes of memory: the least of the physical memory, the control groups' limits and
 *  RLIMIT_AS. */
uint64_t machine_memory(void);

#endif
