/** @file model.h
 *  The network models by name, each with the factors that it applies to a message: SimGrid 3.32's
 *  fluid models, from src/surf/network_cm02.cpp and network_smpi.cpp, with the factors of
 *  src/simgrid/sg_config.cpp.
 */
#pragma once

#include <stdbool.h>

#include "common/err.h"
#include "common/registry.h"
#include "platforms/platform.h"

struct sim_model {
  const char *name;    /**< "smpi" */
  const char *help;    /**< one line */
  const char *simgrid; /**< value of SimGrid's network/model */
  double weight_bytes; /**< network/weight-S in bytes: each link adds this / bandwidth to the
                        penalty */
  const struct factor_step *latency, *bandwidth; /**< by message size, rising; ends with 0, 0 */
  bool of_platform;  /**< factors of the platform (platform_factors()) replace these */
  double back_share; /**< cross-traffic: the share of its rate that a flow takes on the links of the
                          reverse route */
  /** Factors of messages within a host, which end with 0, 0; NULL: as between hosts. */
  const struct factor_step *latency_within, *bandwidth_within;
};

/** Bytes that SMPI adds to a message for its envelope (Request::start in
 *  src/smpi/mpi/smpi_request.cpp): they count for the factors and the time. */
#define SIM_ENVELOPE_BYTES 16

/** Default of SimGrid's network/TCP-gamma, in bytes: a flow's rate is at most this over twice the
 *  latency of its route. */
#define SIM_TCP_GAMMA 4194304.0

/** Default of sim_model.back_share. */
#define SIM_BACK_SHARE 0.05

/** Registry of struct sim_model. */
extern const struct registry sim_models;

/** Returns @p model with the factors of platform @p on where it has any; @p on must outlive the
 *  result. */
struct sim_model sim_model_on(const struct sim_model *model, const struct platform *on);
