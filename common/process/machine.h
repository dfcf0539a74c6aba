/** @file machine.h
 *  Processors and memory available to this process: the hardware, limited by processor affinity,
 *  control groups (v1 and v2) and resource limits.
 */
#pragma once

#include <stdint.h>

/** Path of the file that lists the control groups of the process, and their mount point. */
struct machine_cgroups {
  const char *membership; /**< "/proc/self/cgroup" */
  const char *root;       /**< "/sys/fs/cgroup" */
};

/** Memory limit of the control groups and their parents, in bytes; UINT64_MAX: none. */
uint64_t machine_cgroup_memory(const struct machine_cgroups *g);

/** Processor quota of the control groups and their parents, in cores, rounded up; UINT32_MAX:
 *  none. */
uint32_t machine_cgroup_cores(const struct machine_cgroups *g);

/** Cores in the affinity mask, at most the quota of the control groups; at least 1. */
uint32_t machine_cores(void);

/** Available memory in bytes: the minimum of the physical memory, the control groups' limits and
 *  RLIMIT_AS. */
uint64_t machine_memory(void);

/** Seconds on a monotonic clock with an arbitrary origin. */
double machine_seconds(void);

/** CPU time of this process in s, of all its threads. */
double machine_cpu_seconds(void);
