/** @file effects.h
 *  Optional models of real machines that SimGrid's model lacks, each given by a spec, for example
 *  "ports:in=1.15GBps,both=1.64GBps".  Without any, a simulation is SimGrid's.  docs/models.md
 *  gives the source of each.  Each kind is one row of a table in effects.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "sim/effects/curve.h"

struct platform;
struct profiles;

enum { EFFECTS_MOST = 16 };

/** Limits of a host's network interface in byte/s; 0: none. */
struct effect_ports {
  double in, out, both; /**< received, sent, and the sum of the two */
  double pair;          /**< between two hosts, both directions together */
  double flow;          /**< of one message between two hosts */
  double fresh; /**< replaces `pair` in the first exchange of two hosts after one of them has
                   exchanged with another host; 0: as `pair` */
};

/** Messages between ranks of one host.  bandwidth 0: the loopback of the platform. */
struct effect_within {
  double bandwidth; /**< of one message, in byte/s */
  double total;     /**< of all messages of a host, in byte/s; 0: no limit */
  double latency_s;
};

/** Half-normal noise of computations. */
struct effect_noise {
  double sd;     /**< standard deviation relative to the mean; 0: none */
  double spread; /**< each host has its own sd, uniform in sd (1 - spread) to sd (1 + spread) */
  uint64_t seed;
};

/** Hosts of unequal and drifting speed. */
struct effect_speeds {
  double sd;      /**< standard deviation of the hosts' speeds, relative to the mean */
  double drift;   /**< standard deviation of a step of a host's speed */
  double every_s; /**< time between steps */
  uint64_t seed;
};

/** The effects of a run.  Zeroed: none.  The caller owns the texts. */
struct effects {
  const char *spec[EFFECTS_MOST];
  size_t count;
  bool flow_limits; /**< bandwidth factors limit a flow instead of consuming the link */
  struct effect_ports ports;
  struct curve incast;     /**< byte/s that a host receives, by its number of incoming flows */
  struct curve beside;     /**< byte/s of a port and direction, by ranks that compute on the host */
  struct curve contention; /**< share of its speed that a rank has, by ranks that compute */
  struct curve memory;     /**< byte/s of memory traffic of a host, by ranks that compute */
  double per_flop; /**< memory traffic of a flop in bytes, for traces that do not state it */
  struct effect_within within;
  struct effect_noise noise;
  struct effect_speeds speeds;
};

/** Parses a spec and adds it; its text must outlive @p x.  Refuses an effect that is given
 *  already. */
enum status effects_add(struct effects *x, const char *spec, struct err *e);

/** Fails if an effect needs engine flow.  The error names the effect and @p engine, which lacks
 *  it. */
enum status effects_need_engine(const struct effects *x, const char *engine, struct err *e);

/** Fails if an effect changes messages or the sharing of a host.  @p purpose names the feature that
 *  cannot be combined with it, as "the record of causes". */
enum status effects_need_plain(const struct effects *x, const char *purpose, struct err *e);

/** True if the messages of a host share limits besides links: in, out, both, pair, incast or
 *  beside. */
bool effects_limit_hosts(const struct effects *x);

/** Adds the speeds of hosts, and their first 1000 changes, to @p out. */
enum status effects_add_profiles(const struct effects *x, const struct platform *p, uint64_t seed,
                                 struct profiles *out, struct err *e);

/** The factor on computation @p nth of rank @p rank, on host @p host: at least 0.01, with mean 1.
 *  1 without noise. */
double effects_noise(const struct effect_noise *n, uint64_t seed, uint32_t host, uint32_t rank,
                     uint64_t nth);

/** A lower bound of the factors on the time of a computation by noise and by speeds. */
double effects_least(const struct effects *x);

/** Registry of struct effect_kind. */
extern const struct registry effect_kinds;

/** A sample spec of kind @p i, and a line of help; i is below the number of kinds. */
const char *effect_example(size_t i);
const char *effect_help(size_t i);
