/* Times of calls, and sizes at which the protocol changes: SMPI's defaults, or the options of the
 * platform file (platforms/smpi.h). */
#include "platforms/platform.h"
#include "sim/replay/replay_internal.h"

void replay_take_options(struct replay *r)
{
  const struct platform *p = r->options.platform;
  r->smpi = p == NULL || smpi_first_option(platform_smpi(p)) == NULL ? NULL : platform_smpi(p);
  r->test_s = r->probe_s = REPLAY_POLL_S;
  r->eager_below = r->options.eager_threshold;
  r->detached_below = SMPI_DETACHED_BELOW;
  if (r->smpi == NULL)
    return;
  if (smpi_is_given(r->smpi, &r->smpi->test_s))
    r->test_s = r->smpi->test_s;
  if (smpi_is_given(r->smpi, &r->smpi->probe_s))
    r->probe_s = r->smpi->probe_s;
  if (r->eager_below == 0)
    r->eager_below = r->smpi->eager_below;
  if (smpi_is_given(r->smpi, &r->smpi->detached_below))
    r->detached_below = r->smpi->detached_below;
}

bool replay_completes_at_once(const struct replay *r, const struct op *op)
{
  return op->mode == OP_BUFFERED || (op->mode == OP_STANDARD && op->bytes < r->detached_below);
}

double replay_send_time(const struct replay *r, const struct op *op)
{
  const bool posts = op->request != OP_NO_REQUEST;
  if (r->smpi == NULL || (!posts && op->mode != OP_SYNCHRONOUS && !replay_completes_at_once(r, op)))
    return 0;
  return smpi_cost_at(posts ? &r->smpi->post : &r->smpi->send, op->bytes);
}

bool replay_receives_cost(const struct replay *r)
{
  return r->smpi != NULL && r->smpi->receive.count > 0;
}

void replay_owe(struct replay *r, const struct message *t, enum side side)
{
  if (r->smpi != NULL && side == RECV_SIDE && t->transfer.detached)
    r->rank[t->transfer.dst].owed_s += smpi_cost_at(&r->smpi->receive, t->transfer.bytes);
}
