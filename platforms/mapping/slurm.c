/* Slurm's host list for srun --distribution=arbitrary, given in SLURM_HOSTFILE: line r names the
 * host of rank r.  mapping_load() reads it as a hostfile. */
#include <string.h>

#include "platforms/mapping/mapping_internal.h"

/* Slurm parses the file as a host list: brackets are ranges, commas separate names, '*' repeats. */
static bool is_writable(const char *name)
{
  return name[0] != '\0' && strpbrk(name, "[],*:# \t\r\n") == NULL;
}

static enum status check(const struct mapping *m, const struct platform *p, struct err *e)
{
  return mapping_check_names(m, p, is_writable, "a host list of Slurm", e);
}

const struct mapping_format mapping_slurm = {
    .name = "slurm", .check = check, .write = mapping_write_hosts};
