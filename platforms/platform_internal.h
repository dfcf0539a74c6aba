/** @file platform_internal.h
 *  Internal representation of a platform.  For platforms/ only.
 */
#pragma once

#include <libxml/tree.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/containers/pairs.h"
#include "common/err.h"
#include "platforms/inside/inside.h"
#include "platforms/names.h"
#include "platforms/network/network.h"
#include "platforms/platform.h"
#include "platforms/profile.h"

/** The <prop> of a cluster that names its topology. */
#define PLATFORM_PROP "haichi.topology"

/** The <prop> of a cluster or zone that says whether it accepts connections from others: "yes"
 *  (default) or "no". */
#define PLATFORM_INBOUND "haichi.inbound"

/** The <prop> of a zone with names that replace the names of all hosts (names.h). */
#define PLATFORM_NAMES "haichi.names"

/** The <prop> of a zone with the messages that the platform was calibrated with (calibrated.h). */
#define PLATFORM_CALIBRATED "haichi.calibrated"

struct platform_name {
  const char *text;
  uint32_t host;
};

/** A part of a platform file that an error message can name. */
struct platform_part {
  const char *name; /**< name of the element or attribute; NULL: no such part */
  uint64_t line;
};

struct platform {
  char *name;   /**< file or spec; owned */
  bool of_file; /**< read from a file */
  char *xml; /**< XML generated from a spec of several clusters; owned; NULL for other platforms */
  bool bare; /**< the file has a cluster outside any zone */
  bool opaque;             /**< only SimGrid understands it; the network is empty */
  struct network n;        /**< sealed */
  struct cluster *one;     /**< the cluster if the platform is a single one; owned by @p n */
  struct profile *profile; /**< values that change with time */
  size_t profile_room;
  uint32_t profiles;
  char **file; /**< distinct files read besides the platform file; owned */
  size_t files, file_room;
  struct factors factors[PLATFORM_FACTORS]; /**< indexed by enum platform_factor */
  struct smpi_options smpi;                 /**< further options of the file */
  struct calibrated calibrated;             /**< messages of the calibration */
  struct platform_part failing;             /**< first part that lets hosts or links fail */
  double *scale;                            /**< factor of the speed of each host; NULL: all 1 */
  struct platform_part dynamic;             /**< first part that only SimGrid can simulate */
  struct platform_part outside;             /**< first part that names another file */
  struct platform_host *host;               /**< hosts of an opaque platform */
  uint32_t hosts;
  struct platform_name *by_name; /**< hosts of an opaque platform, sorted by name */
  struct platform_router router;
  char *naming;            /**< text of `names` (names.h); owned; NULL: none */
  uint64_t naming_line;    /**< of the property in the file */
  struct host_names names; /**< replace the names of the hosts; empty: none, or not yet applied */
  /* Of a part (part.h), which copies the members above and owns only the following ones: */
  const struct platform *whole; /**< NULL: the platform is whole */
  struct pairs part;            /**< by host of the part: its host of the whole */
  struct topology *box;         /**< NULL: the hosts are no box of a grid */
  /* Of nodes with an inside, whose cores are the hosts: */
  struct inside *inside;  /**< owned; NULL: none */
  struct platform *nodes; /**< platform of the nodes, which shares all other members; owned */
  uint32_t node_cores;    /**< of the platform of the nodes: cores of a host; 0: as declared */
};

/** The host of the network: of a part, the host of the whole platform; of a core, its node. */
static inline uint32_t platform_own_host(const struct platform *p, uint32_t h)
{
  if (p->inside != NULL)
    return h / p->inside->cores;
  return p->whole == NULL ? h : (uint32_t)(p->part.key[h] >> 32);
}

/** Gives the nodes of a complete platform an inside.  @p text is as in inside_new(). */
enum status platform_set_inside(struct platform *p, const char *text, struct err *e);

/** The network point of a host.  Not for opaque platforms. */
uint32_t platform_point_of_host(const struct platform *p, uint32_t h);

/** The zone of a host.  Not for opaque platforms. */
uint32_t platform_zone_of_host(const struct platform *p, uint32_t h);

/** Builds the platform of a spec of several clusters. */
enum status platform_clusters_build(struct platform **out, const char *spec, struct err *e);

/** Adds a file to the list of files read, without repetitions. */
enum status platform_keep_file(struct platform *p, const char *path, struct err *e);

/** Replaces the names of the hosts by the names in p->naming, if it is set. */
enum status platform_apply_names(struct platform *p, struct err *e);

/** Parses SimGrid XML (@p length bytes, then a NUL) into @p p, whose name is already set. */
enum status platform_read(struct platform *p, const char *text, size_t length, struct err *e);

/** Reads a platform file, without names. */
enum status platform_read_file(struct platform **out, const char *path, struct err *e);

/** Frees the profiles, their file names and the speed factors. */
void platform_drop_profiles(struct platform *p);

/** Parses platform_params.speeds into @p hosts speeds in flop/s.  The caller frees *out with
 *  free(). */
enum status platform_speeds_parse(double **out, const char *text, uint32_t hosts, struct err *e);

/** Reads a platform file: *length bytes, then a NUL.  The caller frees the text with free().  NULL
 *  with @p e filled on failure. */
char *platform_xml_text(const char *path, size_t *length, struct err *e);

/** Parses XML.  The caller owns the result; NULL with @p e filled on failure.  Errors name @p path.
 */
xmlDoc *platform_xml_parse(const char *text, size_t length, const char *path, struct err *e);

/** The value of an attribute, owned by the document; NULL if it is absent. */
const char *platform_xml_attribute(const xmlNode *node, const char *name);

/** Reads the SimGrid options in a <config>: factors by message size.  Refuses other options. */
enum status platform_config_read(struct platform *p, const xmlNode *config, struct err *e);

/** Reads <config> and records the parts that platform_need_static(), platform_need_whole() and
 *  platform_need_lasting() refuse.  Fails if a profile is a pipe or device, or if an opaque
 *  platform has more than 4,194,304 hosts. */
enum status platform_static_read(struct platform *p, const xmlNode *root, struct err *e);

/** Like platform_xml_attribute(), but "" if the attribute is absent. */
const char *platform_xml_value(const xmlNode *node, const char *name);

/** Stores an error with the file @p path and the line of the node.  Returns FAIL. */
enum status platform_xml_fail(struct err *e, const char *path, const xmlNode *node, const char *fmt,
                              ...) __attribute__((format(printf, 4, 5)));

/** Fails if the node has an attribute that is not in @p known (NULL-terminated), or lacks one of
 *  the first @p required of them.  Errors name @p path. */
enum status platform_xml_check(const xmlNode *node, const char *const *known, size_t required,
                               const char *path, struct err *e);

/** Sets *no_inbound if the <prop> is haichi.inbound. */
enum status platform_xml_inbound(const xmlNode *prop, bool *no_inbound, const char *path,
                                 struct err *e);

/** Reads a <cluster>.  On success the caller owns *out, or *out is NULL and *opaque set if haichi
 *  cannot represent the cluster.  @p n counts the clusters before this one. */
enum status platform_cluster_read(struct cluster **out, const char *path, const xmlNode *node,
                                  const struct network *n, bool *opaque, struct err *e);

/** Reads the zones below <platform> into p->n.  Collects the <trace> and <trace_connect> elements,
 *  in the order of the file, in *traces, which the caller frees.  Sets *opaque if haichi cannot
 *  represent an element. */
enum status platform_zones_read(struct platform *p, const xmlNode *root, xmlNode ***traces,
                                size_t *count, bool *opaque, struct err *e);

/** Reads the collected elements and the profile files of hosts and links.  Stores constant speed
 *  factors in p->scale and other profiles in p->profile.  Sets *opaque if a profile is random. */
enum status platform_profiles_read(struct platform *p, const xmlNode *root, xmlNode *const *nodes,
                                   size_t count, bool *opaque, struct err *e);
