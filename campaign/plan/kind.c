#include "campaign/plan/kind.h"

#define LIST(ROW) ROW(kind_traces) ROW(kind_matrices) ROW(kind_networks)

const struct registry kinds = REGISTRY("kind of campaign", LIST);

const struct kind *kind_of_columns(bool (*has)(const void *table, const char *column),
                                   const void *table)
{
  for (size_t i = 0; registry_at(&kinds, i) != NULL; i++) {
    const struct kind *k = registry_at(&kinds, i);
    if (has(table, k->subject[0]) && has(table, k->method))
      return k;
  }
  return registry_at(&kinds, 0);
}
