/** @file platform_internal.h
 *  Representation of a platform, for platform.c and the files of xml/ only.
 */
#ifndef PLATFORMS_PLATFORM_INTERNAL_H
#define PLATFORMS_PLATFORM_INTERNAL_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/network/network.h"
#include "platforms/platform.h"
#include "platforms/profile.h"

/** The property of a cluster that names its topology. */
#define PLATFORM_PROP "haichi.topology"

/** The property of a cluster or zone that takes connections from others: yes (else) or no. */
#define PLATFORM_INBOUND "haichi.inbound"

struct platform_name {
  const char *text;
  uint32_t host;
};

/** A part of a platform file that an error can name. */
struct platform_part {
  const char *name; /**< of the element or attribute; NULL: not in the file */
  uint64_t line;
};

struct platform {
  char *name;              /**< file or spec; owned */
  bool of_file;            /**< it is a file's */
  char *xml;               /**< what a spec of several clusters stands for; owned; else NULL */
  bool bare;               /**< its file has a cluster that is in no zone */
  bool opaque;             /**< only SimGrid understands it: no network */
  struct network n;        /**< sealed */
  struct cluster *one;     /**< the cluster that is all of the platform, owned by @p n; else NULL */
  struct profile *profile; /**< what changes with time */
  size_t profile_room;
  uint32_t profiles;
  char **file; /**< profiles that have been read, each once; owned */
  size_t files, file_room;
  struct factors factors[PLATFORM_FACTORS]; /**< by enum platform_factor */
  struct platform_part failing;             /**< first part by which hosts or links fail */
  double *scale;                            /**< factor of the speed of each host; NULL: 1 on all */
  struct platform_part dynamic;             /**< first part that only SimGrid can simulate */
  struct platform_part outside;             /**< first part that names another file */
  struct platform_host *host;               /**< of an opaque platform */
  uint32_t hosts;
  struct platform_name *by_name; /**< hosts of an opaque platform, sorted by name */
  struct platform_router router;
};

/** The point of the network that a host is; not on an opaque platform. */
uint32_t platform_point_of_host(const struct platform *p, uint32_t h);

/** The zone that a host is in; not on an opaque platform. */
uint32_t platform_zone_of_host(const struct platform *p, uint32_t h);

/** Builds the platform of a spec of several clusters. */
enum status platform_clusters_build(struct platform **out, const char *spec, struct err *e);

/** Reads SimGrid's XML, of @p length bytes before a NUL, into @p p, which has a name. */
enum status platform_read(struct platform *p, const char *text, size_t length, struct err *e);

/** Frees profiles and factors of speeds. */
void platform_drop_profiles(struct platform *p);

/** Parses platform_params.speeds.  On success *out, @p hosts speeds in flop/s, is the caller's:
 *  free(). */
enum status platform_speeds_parse(double **out, const char *text, uint32_t hosts, struct err *e);

/** The text of a platform file, of *length bytes before a NUL, the caller's: free(); NULL with @p e
 *  filled on failure. */
char *platform_xml_text(const char *path, size_t *length, struct err *e);

/** Parses a text; the result is the caller's, NULL with @p e filled on failure.  @p path is for
 *  errors. */
xmlDoc *platform_xml_parse(const char *text, size_t length, const char *path, struct err *e);

/** The value of an attribute, owned by the document; NULL if the node has none. */
const char *platform_xml_attribute(const xmlNode *node, const char *name);

/** Reads the options of SimGrid that a <config> sets: factors by message size.  Refuses others. */
enum status platform_config_read(struct platform *p, const xmlNode *config, struct err *e);

/** Reads <config> and finds the parts that platform_need_static() and platform_need_whole()
 *  refuse.  Fails on what no platform may have: profiles that are pipes or devices, and, if
 *  opaque, more than 4,194,304 hosts. */
enum status platform_static_read(struct platform *p, const xmlNode *root, struct err *e);

/** Refuses an attribute that is not among @p known (ends with NULL), and the lack of one of the
 *  first @p required.  @p path is for the error. */
enum status platform_xml_check(const xmlNode *node, const char *const *known, size_t required,
                               const char *path, struct err *e);

/** Sets *no_inbound if the <prop> says whether there are inbound connections. */
enum status platform_xml_inbound(const xmlNode *prop, bool *no_inbound, const char *path,
                                 struct err *e);

/** Reads a <cluster>.  *out is the caller's unless NULL: *opaque is then set, since haichi cannot
 *  express it.  @p n counts the clusters before. */
enum status platform_cluster_read(struct cluster **out, const char *path, const xmlNode *node,
                                  const struct network *n, bool *opaque, struct err *e);

/** Reads the zones below <platform> into p->n, and collects the <trace> and <trace_connect>
 *  elements in the file's order in *traces, the caller's.  *opaque is set if there is anything
 *  that haichi cannot express. */
enum status platform_zones_read(struct platform *p, const xmlNode *root, xmlNode ***traces,
                                size_t *count, bool *opaque, struct err *e);

/** Reads those elements, and the files that hosts and links name, into p->scale (constant factors
 *  of a host's speed) and p->profile; *opaque is set if one is drawn at random. */
enum status platform_profiles_read(struct platform *p, const xmlNode *root, xmlNode *const *nodes,
                                   size_t count, bool *opaque, struct err *e);

#endif
