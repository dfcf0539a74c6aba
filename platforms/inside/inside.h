/** @file inside.h
 *  The inside of a node: its cores, and the packages, NUMA nodes and caches that they share, as a
 *  tree.  All nodes of a platform have the same inside, so that memory is independent of the number
 *  of nodes.
 *
 *  Levels are numbered from the outside: level 0 is the whole node ("machine").  Every core belongs
 *  to one object of each level.  Two cores have a lowest common level, the innermost level where
 *  both belong to the same object.  A message between two cores of a node has the latency and at
 *  most the bandwidth of their lowest common level.  It also shares the memory bandwidth of each
 *  object that it crosses, max-min fairly: the common object, and the objects inside it that
 *  contain one of the two cores.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"

enum {
  INSIDE_MOST_CORES = 4096,
  INSIDE_MOST_LEVELS = 6,
  /** Maximum number of links of a route within a node: one object of level 0, two of each other
   *  level, and the limit of one message. */
  INSIDE_MOST_LINKS = 2 * INSIDE_MOST_LEVELS
};

struct inside_level {
  const char *name;        /**< "machine", "package", "die", "numa", "l3" or "l2"; static */
  uint32_t objects;        /**< of a node */
  uint32_t first;          /**< number of its first object among the objects of all levels */
  uint16_t *object;        /**< by core: its object of this level, from 0; owned */
  double latency_s;        /**< of a message between cores with this lowest common level */
  double bandwidth;        /**< of such a message alone, in byte/s */
  double memory_bandwidth; /**< of an object, shared by all messages that cross it, in byte/s */
};

struct inside {
  char *text; /**< the description; owned */
  char *file; /**< the XML file; owned; NULL: a synthetic description */
  uint32_t cores, levels;
  uint32_t objects; /**< of all levels */
  uint32_t *cpu;    /**< by core: the number that the operating system gives its first processing
                         unit; owned */
  struct inside_level level[INSIDE_MOST_LEVELS];
};

/** Reads "SPEC" or "SPEC;LEVEL=LATENCY:BANDWIDTH:MEMORY;...".  SPEC is a synthetic description of
 *  hwloc, such as "pack:2 numa:2 core:8", the name of an hwloc XML file, or "here", the machine of
 *  this process.  Cores are numbered as hwloc's logical cores, or processing units if the
 *  description has no cores.  Levels with one core per object are left out.  Fails if there are
 * more than INSIDE_MOST_CORES cores, or if levels are not nested.  The caller frees *out with
 *  inside_free(). */
enum status inside_new(struct inside **out, const char *text, struct err *e);

/** Accepts NULL. */
void inside_free(struct inside *in);

/** The lowest common level of two different cores. */
uint32_t inside_common(const struct inside *in, uint32_t a, uint32_t b);

/** Number of links of a node: one for each object, then one for each level, the limit of a
 *  message. */
static inline uint32_t inside_links(const struct inside *in)
{
  return in->objects + in->levels;
}

/** Writes the links of the route between two different cores and returns their number, at most
 *  INSIDE_MOST_LINKS.  Sets *latency_s. */
uint32_t inside_route(const struct inside *in, uint32_t a, uint32_t b, uint32_t *link,
                      double *latency_s);

/** Bandwidth of a link in byte/s.  Sets *latency_s, and *fat if each message has the full
 * bandwidth.
 */
double inside_link(const struct inside *in, uint32_t link, double *latency_s, bool *fat);

/** Writes the name of a link of node @p node: "NODE-numa-1", or "NODE-numa" for the limit of a
 *  message. */
void inside_link_name(const struct inside *in, uint32_t link, const char *node, char *name,
                      size_t size);

/** Finds core @p i of object @p object of a level, both counted from 0.  False if there is none. */
bool inside_find(const struct inside *in, const char *level, uint32_t object, uint32_t i,
                 uint32_t *core);
