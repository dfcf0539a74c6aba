#include "sim/overlay/spec.h"

#include <string.h>

#include "common/spec.h"

static const struct overlay_kind
    MCMPI = {.name = "mcmpi",
             .help = "connections by RTT and traffic, on first use",
             .method = &bounding_mcmpi,
             .dense = true},
    RANDOM = {.name = "random",
              .help = "as many connections as mcmpi at random, on first use",
              .method = &bounding_random,
              .dense = true},
    ALL = {.name = "all",
           .help = "all pairs, from the start",
           .method = &bounding_all,
           .opened = true,
           .direct = true},
    LAZY = {
        .name = "lazy", .help = "all pairs, on first use", .method = &bounding_all, .direct = true};

#define LIST(ROW) ROW(MCMPI) ROW(RANDOM) ROW(ALL) ROW(LAZY)

const struct registry overlay_kinds = REGISTRY("overlay", LIST);

/* Upper limit of sizes in bytes. */
#define MOST_BYTES 0x1p40

#define AT(FIELD) offsetof(struct overlay_spec, FIELD)

static const struct spec_option OPTIONS[] = {
    {"density", SPEC_U32, AT(density), "2", .help = "of the selection of connections", .least = 1,
     .most = 1 << 20},
    {"seed", SPEC_U64, AT(seed), "1", .help = "of the selection"},
    {"setup", SPEC_DOUBLE, AT(set_up), "1", .help = "factor on the time to open a connection",
     .most = 1e6},
    {"segment", SPEC_SIZE, AT(segment), "32KiB", .help = "longest part of a relayed message",
     .least = 1, .most = MOST_BYTES},
    {"buffer", SPEC_SIZE, AT(buffer), "256KiB", .help = "socket buffer", .least = 1,
     .most = MOST_BYTES},
    {"relay", SPEC_TIME, AT(relay_s), "1e-5s", .help = "time of a relay for a message or segment"},
    {"copy", SPEC_BANDWIDTH, AT(copy_Bps), "1GBps", .help = "copying speed of a relay"},
    {"queue", SPEC_SIZE, AT(queue), "", .help = "queue of a wide-area link", .least = 1,
     .most = MOST_BYTES},
    {"loss", SPEC_DOUBLE, AT(loss), "0.5", .help = "exponent of the overload", .most = 4,
     .needs = "queue"},
    {"rto", SPEC_TIME, AT(rto_s), "", .help = "TCP's retransmission timeout", .least = 1e-6},
    {.name = NULL},
};

enum { SELECTION_OPTIONS = 2 /* the first ones, for overlays with a density only */ };

static enum status parse(struct overlay_spec *out, const char *options, struct err *e)
{
  struct spec s;
  if (spec_parse(&s, OPTIONS, options, out, e) != OK)
    return FAIL;
  const bool selects = spec_given(&s, "density") || spec_given(&s, "seed");
  const bool twice = spec_given(&s, "loss") && spec_given(&s, "rto");
  spec_clear(&s);
  if (twice)
    return err_set(e, "'loss' and 'rto' are two models of congestion: give one of them");
  return out->kind->dense || !selects
             ? OK
             : err_set(e, "'%s' connects all pairs: it has no density and no seed",
                       out->kind->name);
}

enum status overlay_spec_parse(struct overlay_spec *out, const char *text, struct err *e)
{
  const size_t n = strcspn(text, ",");
  struct err why;
  struct overlay_spec s = {.kind = registry_find(&overlay_kinds, text, n)};
  if (s.kind == NULL)
    return registry_unknown(&overlay_kinds, text, n, e);
  if (text[n] == ',' && text[n + 1] == '\0')
    return err_set(e, "overlay '%.200s' ends with a comma", text);
  if (parse(&s, text + n + (text[n] == ','), &why) != OK)
    return err_set(e, "overlay '%.200s': %s", text, why.text);
  *out = s;
  return OK;
}

void overlay_spec_print(const struct overlay_spec *s, FILE *f)
{
  fprintf(f, "%s,", s->kind->name);
  spec_print(s->kind->dense ? OPTIONS : OPTIONS + SELECTION_OPTIONS, s, f);
}
