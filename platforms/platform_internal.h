/** @file platform_internal.h
 *  What the files platforms/platform*.c share; no other file includes it.
 */
#ifndef PLATFORMS_PLATFORM_INTERNAL_H
#define PLATFORMS_PLATFORM_INTERNAL_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

/** Longest id, prefix or suffix of a cluster; keeps every name within PLATFORM_NAME_SIZE. */
#define PLATFORM_PART_MAX 60

/** The property of a cluster that names its topology. */
#define PLATFORM_PROP "haichi.topology"

struct platform_name {
  const char *text;
  uint32_t host;
};

/** Something that the file has. */
struct platform_part {
  const char *name; /**< of an element or attribute; NULL: there is none */
  uint64_t line;
};

struct platform {
  char *path;
  struct topology *topology;          /**< NULL: foreign */
  char id[PLATFORM_PART_MAX + 1];     /**< of the cluster, with which link names begin */
  char prefix[PLATFORM_PART_MAX + 1]; /**< of host names */
  char suffix[PLATFORM_PART_MAX + 1];
  double speed;  /**< of the cluster, in flop/s */
  double *scale; /**< what multiplies it on each host; NULL: 1 on all */
  double bandwidth, latency, loopback_bandwidth, loopback_latency;
  struct platform_part dynamic; /**< what in the file only SimGrid can simulate */
  struct platform_part outside; /**< what names another file */
  struct platform_host *host;   /**< of a foreign platform */
  uint32_t hosts;
  struct platform_name *by_name; /**< sorted */
  struct platform_router router;
};

/** Writes the index in the carrier that @p name says; false if no host there has that name. */
bool platform_carrier_index(const struct platform *p, const char *name, uint32_t *carrier);

/** Reads the text of platform_params.speeds.  On success *out, @p hosts speeds, is the caller's:
 *  free(). */
enum status platform_speeds_parse(double **out, const char *text, uint32_t hosts, struct err *e);

/** An attribute's value, the node's while the document lives; NULL if there is none. */
const char *platform_xml_attribute(const xmlNode *node, const char *name);

/** Looks for what platform_need_static() and platform_need_whole() refuse.  Refuses what no
 * platform may have: options of SimGrid, files that are pipes or devices, more than 4,194,304
 * hosts. */
enum status platform_static_read(struct platform *p, const xmlNode *root, struct err *e);

/** Refuses an attribute that is not among @p known (ends with NULL), and a missing one of the
 *  first @p required.  @p path is for the sentence. */
enum status platform_xml_check(const xmlNode *node, const char *const *known, size_t required,
                               const char *path, struct err *e);

/** Reads a torus <cluster> into @p p; *foreign is set if haichi cannot express it. */
enum status platform_cluster_read(struct platform *p, const xmlNode *node, bool *foreign,
                                  struct err *e);

/** Reads the <trace> and <trace_connect> elements, in the file's order, into @p p->scale. */
enum status platform_traces_read(struct platform *p, xmlNode *const *nodes, size_t count,
                                 bool *foreign, struct err *e);

#endif
