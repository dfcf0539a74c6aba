#include "cli/list/collectives_table.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "traces/collectives/tally.h"

enum { MESSAGES, ROUNDS, BYTES, FIGURES };

/* Figures of one call as they are printed. */
struct figures {
  char text[FIGURES][32];
};

/* Prints "16 and 64". */
static void print_list(const uint32_t list[2], FILE *f)
{
  fprintf(f, "%" PRIu32, list[0]);
  if (list[1] != 0)
    fprintf(f, " and %" PRIu32, list[1]);
}

static void print_head(const struct collectives_table *t, FILE *f)
{
  fputs("On ", f);
  print_list(t->ranks, f);
  fprintf(f, " ranks, %" PRIu32 " a host, with blocks of ", t->per_host);
  print_list(t->bytes, f);
  fprintf(f, " bytes%s:\n\n| algorithm |",
          t->bytes[1] == 0 ? "" : ", a number for each where they differ");
  for (size_t r = 0; r < 2 && t->ranks[r] != 0; r++)
    fprintf(f, " messages, %" PRIu32 " ranks | rounds | blocks a rank |", t->ranks[r]);
  fputs(" source |\n| --- |", f);
  for (size_t r = 0; r < 2 && t->ranks[r] != 0; r++)
    fputs(" ---: | ---: | ---: |", f);
  fputs(" --- |\n", f);
}

/* Bytes are counted in blocks; @p block 0: in bytes, since a barrier has no block. */
static void write_figures(struct figures *out, const struct tally *t, uint32_t block)
{
  snprintf(out->text[MESSAGES], sizeof *out->text, "%" PRIu64, t->messages);
  snprintf(out->text[ROUNDS], sizeof *out->text, "%" PRIu64, t->rounds);
  if (block == 0)
    snprintf(out->text[BYTES], sizeof *out->text, "%" PRIu64 " B", t->bytes);
  else
    snprintf(out->text[BYTES], sizeof *out->text, "%.6g", (double)t->bytes / block);
}

struct algorithm {
  enum action_kind kind;
  size_t i; /* index in collective_algorithm() */
};

/* Prints the columns for t->ranks[r] ranks. */
static enum status print_columns(const struct collectives_table *t, size_t r,
                                 const struct algorithm *a, FILE *f, struct err *e)
{
  struct figures of[2];
  size_t n = 0;
  for (; n < 2 && t->bytes[n] != 0; n++) {
    const struct picked_call call = {t->ranks[r], t->per_host, t->bytes[n]};
    struct tally tally;
    if (tally_call(&tally, a->kind, a->i, &call, e) != OK)
      return FAIL;
    write_figures(&of[n], &tally, a->kind == ACTION_BARRIER ? 0 : call.bytes);
  }
  for (int c = 0; c < FIGURES; c++) {
    const bool differ = n == 2 && strcmp(of[0].text[c], of[1].text[c]) != 0;
    fprintf(f, " %s%s%s |", of[0].text[c], differ ? " / " : "", differ ? of[1].text[c] : "");
  }
  return OK;
}

static enum status print_row(const struct collectives_table *t, const struct algorithm *a, FILE *f,
                             struct err *e)
{
  const struct collective_algorithm *row = collective_algorithm(a->kind, a->i);
  fprintf(f, "| `%s=%s` |", action_name(a->kind), row->name);
  for (size_t r = 0; r < 2 && t->ranks[r] != 0; r++)
    if (print_columns(t, r, a, f, e) != OK)
      return FAIL;
  fprintf(f, " `%s` |\n", row->source);
  return OK;
}

enum status collectives_table_print(const struct collectives_table *t, FILE *f, struct err *e)
{
  print_head(t, f);
  for (int kind = ACTION_BARRIER; kind <= ACTION_EXSCAN; kind++)
    for (size_t i = 0; collective_algorithm(kind, i) != NULL; i++) {
      const struct algorithm a = {kind, i};
      if ((i == 0 || !picked_chooses(kind, i)) && print_row(t, &a, f, e) != OK)
        return FAIL;
    }
  return OK;
}
