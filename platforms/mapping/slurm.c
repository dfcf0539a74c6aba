/* Slurm's host list for srun --distribution=arbitrary, given in SLURM_HOSTFILE: line r names the
 * host of rank r.  mapping_load() reads it as a hostfile. */
#include <string.h>

#include "platforms/mapping/mapping_internal.h"

/* Slurm parses the file as a host list: brackets are ranges, commas separate names, '*' repeats. */
static enum status check(const struct mapping *m, const struct platform *p, struct err *e)
{
  char buffer[PLATFORM_NAME_SIZE];
  for (uint32_t r = 0; r < m->ranks; r++) {
    const char *name = platform_host_name(p, m->host[r], buffer, sizeof buffer);
    if (name[0] == '\0' || strpbrk(name, "[],*:# \t\r\n") != NULL)
      return err_set(e, "host name '%.80s' cannot be written in a host list of Slurm", name);
  }
  return OK;
}

const struct mapping_format mapping_slurm = {
    .name = "slurm", .check = check, .write = mapping_write_hosts};
