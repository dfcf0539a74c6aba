/* Runs any program as a mapper.  The program reads the traffic, the hosts and their distances from
 * files and writes a mapping to its standard output (docs/mappers.md). */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files/memfile.h"
#include "common/report.h"
#include "mappers/mapper.h"
#include "mappers/peers/program.h"
#include "mappers/simple/file.h"
#include "platforms/distances.h"
#include "platforms/topology/grid.h"

/* Maximum number of hosts for the file of distances, which has a number for each pair. */
enum { MOST_HOSTS = 8192 };

struct options {
  const char *path;
  double seconds;
  uint64_t seed;
  enum { NO, YES } distances;
};

/* The files of one run. */
struct files {
  struct memfile traffic, hosts, distances, mapping;
};

static enum status check_program(const char *path, struct err *e)
{
  struct stat st;
  if (stat(path, &st) != 0 || access(path, X_OK) != 0)
    return err_errno(e, path, "cannot run");
  return S_ISREG(st.st_mode) ? OK : err_set(e, "%s: cannot run: not a file", path);
}

/* --- input of the program --------------------------------------------------------------------- */

static void print_coordinates(const struct topology *t, uint32_t host, FILE *f)
{
  uint32_t ndims;
  if (t == NULL || !topology_is_grid(t)) {
    fputc('-', f);
    return;
  }
  const uint32_t *side = grid_sides(t, &ndims);
  for (uint32_t d = 0; d < ndims; host /= side[d++])
    fprintf(f, "%s%" PRIu32, d == 0 ? "" : ",", host % side[d]);
}

static void print_hosts(const struct platform *p, FILE *f)
{
  char buffer[PLATFORM_NAME_SIZE];
  fputs("host\tname\tspeed_flops\tcores\tcoordinates\n", f);
  for (uint32_t h = 0; h < platform_hosts(p); h++) {
    fprintf(f, "%" PRIu32 "\t%s\t", h, platform_host_name(p, h, buffer, sizeof buffer));
    report_number(f, platform_host_speed(p, h));
    fprintf(f, "\t%" PRIu32 "\t", platform_host_cores(p, h));
    print_coordinates(platform_topology(p), h, f);
    fputc('\n', f);
  }
}

static enum status print_distances(const struct platform *p, FILE *f, struct err *e)
{
  struct distances *d;
  const uint32_t hosts = platform_hosts(p);
  if (hosts > MOST_HOSTS)
    return err_set(e,
                   "mapper 'command': distances between %" PRIu32
                   " hosts, at most %d are supported; with "
                   "distances=no the program gets none",
                   hosts, MOST_HOSTS);
  if (distances_new(&d, p, DISTANCE_USUAL, e) != OK)
    return FAIL;
  const enum status s = distances_fill(d, e);
  for (uint32_t h = 0; s == OK && h < hosts; h++)
    for (uint32_t k = 0; k < hosts; k++) {
      if (distances_are_hops(d))
        fprintf(f, "%g", distances_mean(d, h, k)); /* multiples of 0.5 */
      else
        report_number(f, distances_mean(d, h, k));
      fputc(k + 1 == hosts ? '\n' : '\t', f);
    }
  distances_free(d);
  return s;
}

static enum status open_files(struct files *x, struct err *e)
{
  if (memfile_open(&x->traffic, "the traffic", e) != OK ||
      memfile_open(&x->hosts, "the hosts", e) != OK ||
      memfile_open(&x->distances, "the distances", e) != OK)
    return FAIL;
  return memfile_open(&x->mapping, "the mapping", e);
}

static enum status fill_files(struct files *x, const struct mapper_input *in, bool distances,
                              struct err *e)
{
  matrix_print(in->traffic, x->traffic.f);
  print_hosts(in->platform, x->hosts.f);
  if (distances && print_distances(in->platform, x->distances.f, e) != OK)
    return FAIL;
  if (memfile_flush(&x->traffic, e) != OK || memfile_flush(&x->hosts, e) != OK)
    return FAIL;
  return memfile_flush(&x->distances, e);
}

static void close_files(struct files *x)
{
  memfile_close(&x->traffic);
  memfile_close(&x->hosts);
  memfile_close(&x->distances);
  memfile_close(&x->mapping);
}

/* --- execution -------------------------------------------------------------------------------- */

static enum status run(const struct mapper_input *in, const struct options *o, struct files *x,
                       struct err *e)
{
  char ranks[16], each[16], seed[24];
  snprintf(ranks, sizeof ranks, "%" PRIu32, in->ranks);
  snprintf(each, sizeof each, "%" PRIu32, in->ranks_per_host);
  snprintf(seed, sizeof seed, "%" PRIu64, o->seed);
  char *const argv[] = {
      (char *)o->path, x->traffic.path, x->hosts.path, x->distances.path, ranks, each, seed, NULL};
  const struct program_run r = {argv, fileno(x->mapping.f), o->seconds};
  return program_run(&r, e);
}

static enum status map(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const struct options *o = in->options;
  struct files x = {.traffic = {.f = NULL}};
  char name[512];
  snprintf(name, sizeof name, "output of %s", o->path);
  if (check_program(o->path, e) != OK)
    return FAIL;
  enum status s = open_files(&x, e);
  if (s == OK)
    s = fill_files(&x, in, o->distances == YES, e);
  if (s == OK)
    s = run(in, o, &x, e);
  if (s == OK)
    s = file_load(in, x.mapping.path, name, out, e);
  close_files(&x);
  return s;
}

static const char *file(const void *options)
{
  return ((const struct options *)options)->path;
}

#define AT(FIELD) offsetof(struct options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"path", SPEC_TEXT, AT(path), NULL,
     .help = "program that reads files of traffic, hosts and distances and writes a mapping"},
    {"seconds", SPEC_LIMIT, AT(seconds), "600s", .help = "time limit, as 90 or 2m", .least = 1e-9,
     .most = 1e9},
    {"seed", SPEC_U64, AT(seed), "1", .help = "seed that the program gets, 0 to 2^64-1"},
    {"distances", SPEC_CHOICE, AT(distances), "yes",
     .help = "no: the file of distances, which has a line and a column per host, is empty",
     .names = (const char *const[]){"no", "yes", NULL}},
    {.name = NULL},
};

const struct mapper map_command = {
    .name = "command",
    .help = "the mapping that a program of yours writes (docs/mappers.md)",
    .options = OPTIONS,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .file = file,
    .map = map,
};
