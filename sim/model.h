/** @file model.h
 *  The network models by name, and how each prices a message: SimGrid 3.32's fluid models, from
 *  src/surf/network_cm02.cpp and network_smpi.cpp, with the factors of src/simgrid/sg_config.cpp.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stddef.h>

#include "common/err.h"
#include "common/registry.h"

/** A factor for messages of more than `above` bytes. */
struct sim_factor {
  double above, factor;
};

struct sim_model {
  const char *name;    /**< "smpi" */
  const char *help;    /**< one line */
  const char *simgrid; /**< value of SimGrid's network/model */
  double weight_s;     /**< network/weight-S in bytes: a link adds this / bandwidth to a penalty */
  const struct sim_factor *latency, *bandwidth; /**< by size, rising from above 0; ends with 0, 0 */
};

/** What SMPI adds to a message for its envelope (Request::start in src/smpi/mpi/smpi_request.cpp):
 *  it counts for the factors and the time. */
#define SIM_ENVELOPE_BYTES 16

/** What SimGrid's network/TCP-gamma is by default, in bytes: a flow's rate is at most this over
 *  twice the latency of its route. */
#define SIM_TCP_GAMMA 4194304.0

/** Cross-traffic: the share of its rate that a flow takes on the links of the way back. */
#define SIM_BACK_SHARE 0.05

/** Of struct sim_model. */
extern const struct registry sim_models;

/** The factor of a table for a message of @p bytes, envelope included. */
double sim_model_factor(const struct sim_factor *table, double bytes);

#endif
