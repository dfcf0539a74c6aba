/* Slurm's host list for srun --distribution=arbitrary, given in SLURM_HOSTFILE: line r names the
 * host of rank r.  mapping_load() reads it as a hostfile. */
#include <string.h>

#include "platforms/mapping/binding.h"
#include "platforms/mapping/mapping_internal.h"

/* Slurm parses the file as a host list: brackets are ranges, commas separate names, '*' repeats. */
static bool is_writable(const char *name)
{
  return name[0] != '\0' && strpbrk(name, "[],*:# \t\r\n") == NULL;
}

static enum status check(const struct mapping *m, const struct platform *p, struct err *e)
{
  struct mapping nodes;
  if (binding_check(m, p, e) != OK || binding_nodes(&nodes, m, p, e) != OK)
    return FAIL;
  const enum status s =
      mapping_check_names(&nodes, platform_nodes(p), is_writable, "a host list of Slurm", e);
  mapping_clear(&nodes);
  return s;
}

/* Writes the option that binds the ranks as a comment, which srun skips. */
static enum status write(const struct mapping *m, const struct platform *p, FILE *f, struct err *e)
{
  struct mapping nodes;
  if (binding_write(m, p, "# --cpu-bind=map_cpu:", f, e) != OK ||
      binding_nodes(&nodes, m, p, e) != OK)
    return FAIL;
  const enum status s = mapping_write_hosts(&nodes, platform_nodes(p), f, e);
  mapping_clear(&nodes);
  return s;
}

const struct mapping_format mapping_slurm = {.name = "slurm", .check = check, .write = write};
