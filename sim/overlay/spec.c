#include "sim/overlay/spec.h"

#include <inttypes.h>
#include <string.h>

#include "common/fields.h"
#include "common/report.h"

static const struct overlay_kind MCMPI = {.name = "mcmpi",
                                          .help = "connections by RTT and traffic, on first use",
                                          .method = &bounding_mcmpi,
                                          .dense = true},
                                 RANDOM = {.name = "random",
                                           .help = "as many at random, on first use",
                                           .method = &bounding_random,
                                           .dense = true},
                                 ALL = {.name = "all",
                                        .help = "all pairs, from the start",
                                        .method = &bounding_all,
                                        .opened = true,
                                        .direct = true},
                                 LAZY = {.name = "lazy",
                                         .help = "all pairs, on first use",
                                         .method = &bounding_all,
                                         .direct = true};

#define LIST(ROW) ROW(MCMPI) ROW(RANDOM) ROW(ALL) ROW(LAZY)

const struct registry overlay_kinds = REGISTRY("overlay", LIST);

enum { DENSITY, SEED, SET_UP, SEGMENT, BUFFER, RELAY, COPY, QUEUE, LOSS, FIELDS };

/* Upper limit of sizes in bytes. */
#define MOST_BYTES 0x1p40

static enum status read_bytes(const struct field *f, uint64_t *out, struct err *e)
{
  double bytes;
  if (fields_quantity(f, NUM_SIZE, (double)*out, &bytes, e) != OK)
    return FAIL;
  if (bytes < 1 || bytes > MOST_BYTES)
    return err_set(e, "%s: %g bytes are not between 1 and 2^40", f->name, bytes);
  *out = (uint64_t)bytes;
  return OK;
}

static enum status read_seed(const struct field *f, uint64_t *out, struct err *e)
{
  struct err why;
  return f->value[0] == '\0' || num_u64(f->value, UINT64_MAX, out, &why) == OK
             ? OK
             : err_set(e, "%s: %s", f->name, why.text);
}

static enum status read_factor(const struct field *f, double most, double *out, struct err *e)
{
  struct err why;
  return f->value[0] == '\0' || num_double(f->value, 0, most, out, &why) == OK
             ? OK
             : err_set(e, "%s: %s", f->name, why.text);
}

static enum status read_fields(struct overlay_spec *s, const struct field *f, struct err *e)
{
  if (!s->kind->dense && (f[DENSITY].value[0] != '\0' || f[SEED].value[0] != '\0'))
    return err_set(e, "'%s' connects all pairs: it has no density and no seed", s->kind->name);
  if (f[LOSS].value[0] != '\0' && f[QUEUE].value[0] == '\0')
    return err_set(e, "'loss' needs 'queue', without which there is no congestion");
  if (fields_number(&f[DENSITY], 1u << 20, s->density, &s->density, e) != OK ||
      read_seed(&f[SEED], &s->seed, e) != OK || read_factor(&f[SET_UP], 1e6, &s->set_up, e) != OK ||
      read_bytes(&f[SEGMENT], &s->segment, e) != OK || read_bytes(&f[BUFFER], &s->buffer, e) != OK)
    return FAIL;
  if (f[QUEUE].value[0] != '\0' && read_bytes(&f[QUEUE], &s->queue, e) != OK)
    return FAIL;
  if (read_factor(&f[LOSS], 4, &s->loss, e) != OK ||
      fields_quantity(&f[RELAY], NUM_TIME, s->relay_s, &s->relay_s, e) != OK)
    return FAIL;
  return fields_quantity(&f[COPY], NUM_BANDWIDTH, s->copy_Bps, &s->copy_Bps, e);
}

enum status overlay_spec_parse(struct overlay_spec *out, const char *text, struct err *e)
{
  struct field f[FIELDS] = {
      [DENSITY] = {.name = "density"}, [SEED] = {.name = "seed"},     [SET_UP] = {.name = "setup"},
      [SEGMENT] = {.name = "segment"}, [BUFFER] = {.name = "buffer"}, [RELAY] = {.name = "relay"},
      [COPY] = {.name = "copy"},       [QUEUE] = {.name = "queue"},   [LOSS] = {.name = "loss"}};
  const size_t n = strcspn(text, ",");
  struct err why;
  struct overlay_spec s = {.kind = registry_find(&overlay_kinds, text, n),
                           .density = 2,
                           .seed = 1,
                           .set_up = 1,
                           .segment = 32768,
                           .buffer = 262144,
                           .relay_s = 1e-5,
                           .copy_Bps = 1e9,
                           .loss = 0.5};
  if (s.kind == NULL)
    return registry_unknown(&overlay_kinds, text, n, e);
  if ((text[n] == ',' && fields_parse(f, FIELDS, text + n + 1, &why) != OK) ||
      read_fields(&s, f, &why) != OK)
    return err_set(e, "overlay '%.200s': %s", text, why.text);
  *out = s;
  return OK;
}

static void print_number(const char *name, double value, FILE *f)
{
  fprintf(f, ",%s=", name);
  report_number(f, value);
}

void overlay_spec_print(const struct overlay_spec *s, FILE *f)
{
  fputs(s->kind->name, f);
  if (s->kind->dense)
    fprintf(f, ",density=%" PRIu32 ",seed=%" PRIu64, s->density, s->seed);
  print_number("setup", s->set_up, f);
  fprintf(f, ",segment=%" PRIu64 ",buffer=%" PRIu64, s->segment, s->buffer);
  print_number("relay", s->relay_s, f);
  print_number("copy", s->copy_Bps, f);
  if (s->queue == 0)
    return;
  fprintf(f, ",queue=%" PRIu64, s->queue);
  print_number("loss", s->loss, f);
}
