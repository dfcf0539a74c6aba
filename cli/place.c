#include "cli/place.h"

#include "mappers/mapper.h"

static enum status run_mapper(const struct place *a, const struct platform *p, struct mapping *out,
                              struct err *e)
{
  const struct mapper *row;
  struct matrix own = {.ranks = a->ranks};
  if (mapper_find(a->mapping, &row, e) != OK || (row->needs_traffic && a->traffic == NULL &&
                                                 cli_traffic(&own, a->trace, a->reading, e) != OK))
    return FAIL;
  const struct mapper_input in = {.platform = p,
                                  .traffic = a->traffic != NULL ? a->traffic : &own,
                                  .ranks = a->ranks,
                                  .ranks_per_host = a->ranks_per_host == 0 ? 1 : a->ranks_per_host,
                                  .threads = a->threads};
  const enum status s = mapper_run(a->mapping, &in, out, e);
  matrix_clear(&own);
  return s;
}

enum status place_ranks(const struct place *a, const struct platform *p, struct mapping *out,
                        struct err *e)
{
  if (mapper_is_spec(a->mapping))
    return run_mapper(a, p, out, e);
  if (cli_looks_like_spec(a->mapping))
    return cli_unknown(mapper_name, "mapper", a->mapping, e);
  if (mapping_load(out, a->mapping, p, a->ranks, e) != OK)
    return FAIL;
  if (a->ranks_per_host == 0 || mapping_check(out, p, a->ranks_per_host, e) == OK)
    return OK;
  mapping_clear(out);
  return FAIL;
}
