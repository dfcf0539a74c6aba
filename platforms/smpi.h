/** @file smpi.h
 *  SMPI's options in the <config> of a platform file, besides the factors of all messages
 *  (platform_factors()): the time of MPI calls, sizes at which the protocol changes, factors within
 *  a host, and the weight of links.  As in SimGrid 3.32 (src/smpi/internals/smpi_config.cpp,
 *  smpi_host.cpp) and, for factors within a host, its fork in T. Cornebize's thesis.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/factors.h"

/** The time of a call on messages larger than `above` bytes: base_s + byte_s * bytes. */
struct smpi_step {
  double above, base_s, byte_s;
};

/** Zeroed: no time. */
struct smpi_cost {
  uint32_t count;
  struct smpi_step step[FACTORS_MOST]; /**< sorted by size */
};

struct smpi_options {
  uint32_t seen;               /**< bit i: the file has option i of the table in smpi.c */
  struct smpi_cost send, post; /**< smpi/os: of a send that completes at once or is synchronous;
                                    smpi/ois: of an isend */
  struct smpi_cost receive;    /**< smpi/or: of receiving a message whose send completed at once */
  struct factors within[2];    /**< smpi/loopback-lat-factor, smpi/loopback-bw-factor */
  uint64_t eager_below;        /**< smpi/async-small-thresh */
  uint64_t detached_below;     /**< smpi/send-is-detached-thresh, if smpi_is_given() */
  double probe_s, test_s;      /**< smpi/iprobe, smpi/test, if smpi_is_given() */
  double weight_bytes;         /**< network/weight-S, if has_weight */
  bool has_weight;
  bool one_way; /**< network/crosstraffic: no */
};

/** Default of smpi/send-is-detached-thresh, in bytes: smaller sends complete at once. */
#define SMPI_DETACHED_BELOW UINT64_C(65536)

/** Reads the option called @p id.  Sets *known to false if @p id is not in the table in smpi.c. */
enum status smpi_option_read(struct smpi_options *o, const char *id, const char *value, bool *known,
                             struct err *e);

/** True if the file has the option whose value is in @p field of @p o. */
bool smpi_is_given(const struct smpi_options *o, const void *field);

/** Fails if SimGrid refuses the options together. */
enum status smpi_options_check(const struct smpi_options *o, struct err *e);

/** Time of a call in s. */
double smpi_cost_at(const struct smpi_cost *c, uint64_t bytes);

/** The name of an option that the file has; NULL if it has none. */
const char *smpi_first_option(const struct smpi_options *o);

/** The names of all options, with commas between them. */
void smpi_option_names(char *text, size_t size);
