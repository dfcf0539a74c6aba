/* The predicted times of each rank, computation and communication, beside the measured times. */
#include "plots/plot.h"
#include "predict/blocks/estimate.h"

static enum status write(const struct plot *p, FILE *out, struct err *e)
{
  struct estimate x;
  if (estimate_load(&x, p->input[0], registry_at(&estimate_methods, 0), e) != OK)
    return FAIL;
  struct gnuplot_key key = {.f = out};
  gnuplot_key_add(&key, "computation", 1);
  gnuplot_key_add(&key, "communication", 2);
  if (x.measured)
    gnuplot_key_add(&key, "full run", 7);
  gnuplot_key_end(&key);
  fprintf(out, "measured = %d\n$ranks << EOD\n", x.measured);
  for (uint32_t i = 0; i < x.ranks; i++) {
    const struct rank_estimate *r = &x.rank[i];
    fprintf(out, "%u %.9g %.9g %.9g\n", i, r->computation, r->total, x.measured ? r->measured : 0);
  }
  fputs("EOD\n", out);
  estimate_clear(&x);
  return OK;
}

const struct plot_kind plot_block_error = {
    .name = "block-error",
    .inputs = "DIR",
    .help = "predicted time of each rank, and measured time of a full run",
    .most = 1,
    .write = write,
};
