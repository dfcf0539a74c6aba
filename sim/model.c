#include "sim/model.h"

#include <string.h>

static const struct sim_model TABLE[] = {
    {"smpi", "latency and bandwidth factors by message size, fitted to MPI on a cluster", "SMPI"},
    {"lv08", "LegrandVelho: one latency and one bandwidth factor", "LV08"},
    {"cm02", "Casanova and Marchal: nominal latency and bandwidth", "CM02"},
};

const struct sim_model *sim_model_at(size_t i)
{
  return i < sizeof TABLE / sizeof *TABLE ? &TABLE[i] : NULL;
}

enum status sim_model_find(const char *name, const struct sim_model **out, struct err *e)
{
  for (size_t i = 0; sim_model_at(i) != NULL; i++)
    if (strcmp(sim_model_at(i)->name, name) == 0) {
      *out = sim_model_at(i);
      return OK;
    }
  return err_set(e, "'%s' is not a model; there are smpi, lv08 and cm02", name);
}
