/** @file model.h
 *  The network models by name: which of SimGrid's fluid models prices a message.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stddef.h>

#include "common/err.h"

struct sim_model {
  const char *name;    /**< "smpi" */
  const char *help;    /**< one line */
  const char *simgrid; /**< value of SimGrid's network/model */
};

/** Row @p i of the table, the default first; NULL past the last. */
const struct sim_model *sim_model_at(size_t i);

enum status sim_model_find(const char *name, const struct sim_model **out, struct err *e);

#endif
