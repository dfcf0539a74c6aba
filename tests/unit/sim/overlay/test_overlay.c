/* No message is lost, duplicated or out of order: a driver sends random messages on random
 * overlays of platforms with firewalls.  SimGrid can start only once per process, so
 * tests/cli/overlay.sh tests it more. */
#include "sim/overlay/overlay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "sim/engine.h"
#include "sim/overlay/network.h"
#include "tests/unit/opened.h"

enum { RANKS = 12, MESSAGES = 150 };

struct message {
  struct transfer transfer;
  uint64_t bytes; /* as sent by the program: equal for all messages of a pair */
  bool late;      /* its receive is posted after a computation */
  uint32_t src;   /* the overlay may change transfer.src */
  bool eager;     /* starts with its send, unless the receive comes first */
  bool over[2];   /* by side */
  double end;     /* end of its receive */
};

struct actor {
  struct step step;
  struct await await[2 * MESSAGES];
  uint32_t stage;
};

struct toy {
  const struct services *services;
  struct message message[MESSAGES];
  struct actor actor[RANKS];
  double end;
};

static bool is_mine(const struct message *m, uint32_t self, enum side side)
{
  return (side == SEND_SIDE ? m->src : m->transfer.dst) == self;
}

static void attach(void *state, const struct services *s)
{
  ((struct toy *)state)->services = s;
}

static void post(struct toy *toy, struct message *m, enum side side)
{
  m->transfer.first = toy->services->first;
  m->transfer.posted[side] = true;
  if (side == SEND_SIDE)
    m->transfer.eager = m->eager && !m->transfer.posted[RECV_SIDE];
  toy->services->post(toy->services->engine, &m->transfer, side);
}

/* Posts the sends and the early receives of an actor, or its late receives if @p late. */
static void post_all(struct toy *toy, uint32_t self, bool late)
{
  for (uint32_t i = 0; i < MESSAGES; i++) {
    struct message *m = &toy->message[i];
    if (is_mine(m, self, RECV_SIDE) && m->late == late)
      post(toy, m, RECV_SIDE);
    if (is_mine(m, self, SEND_SIDE) && !late)
      post(toy, m, SEND_SIDE);
  }
}

/* Each side must end once. */
static void take_end(struct toy *toy, const struct await *a)
{
  struct message *m = &toy->message[a->mark];
  assert_false(m->over[a->side]);
  m->over[a->side] = true;
  m->transfer.awaited[a->side] = false;
  if (a->side == SEND_SIDE)
    return;
  m->end = toy->services->now(toy->services->engine);
}

static void forget_ended(struct toy *toy, struct message *m)
{
  if (m->over[SEND_SIDE] && m->over[RECV_SIDE])
    toy->services->forget(toy->services->engine, &m->transfer);
}

/* Waits for any of the sides that have not ended. */
static struct step *wait_any(struct toy *toy, uint32_t self)
{
  struct actor *a = &toy->actor[self];
  uint32_t n = 0;
  for (uint32_t i = 0; i < MESSAGES; i++)
    for (int side = 0; side < 2; side++) {
      struct message *m = &toy->message[i];
      if (!is_mine(m, self, (enum side)side) || m->over[side])
        continue;
      if (side == SEND_SIDE && m->bytes < 65536) { /* detached */
        m->over[side] = true;
        forget_ended(toy, m);
        continue;
      }
      m->transfer.awaited[side] = true;
      a->await[n++] = (struct await){&m->transfer, (enum side)side, i};
    }
  a->step = (struct step){.kind = n > 0 ? STEP_WAIT : STEP_END, .await = a->await, .awaits = n};
  if (n == 0)
    toy->end = toy->services->now(toy->services->engine);
  return &a->step;
}

static struct step *step(void *state, uint32_t self)
{
  struct toy *toy = state;
  struct actor *a = &toy->actor[self];
  if (a->step.kind == STEP_WAIT && a->stage == 2) {
    for (uint32_t i = 0; i < a->step.awaits; i++)
      a->await[i].transfer->awaited[a->await[i].side] = false;
    take_end(toy, &a->await[a->step.completed]);
    forget_ended(toy, &toy->message[a->await[a->step.completed].mark]);
  }
  if (a->stage == 0) {
    a->stage = 1;
    post_all(toy, self, false);
    a->step = (struct step){.kind = STEP_EXEC, .amount = 1e7 * self};
    return &a->step;
  }
  if (a->stage == 1) {
    a->stage = 2;
    post_all(toy, self, true);
  }
  return wait_any(toy, self);
}

static void draw(struct toy *toy, uint64_t seed, bool eager)
{
  struct rng rng = rng_new(seed, 0);
  *toy = (struct toy){.end = 0};
  for (uint32_t i = 0; i < MESSAGES; i++) {
    struct message *m = &toy->message[i];
    const uint32_t src = (uint32_t)rng_below(&rng, RANKS), dst = (uint32_t)rng_below(&rng, RANKS);
    struct rng pair = rng_new(seed, 1 + src * RANKS + dst);
    m->src = src;
    m->bytes = rng_below(&pair, 2) ? rng_below(&pair, 300000) : rng_below(&pair, 3000);
    m->late = rng_below(&pair, 3) == 0;
    m->transfer =
        (struct transfer){.src = src, .dst = dst, .bytes = m->bytes, .detached = m->bytes < 65536};
    m->eager = eager && m->bytes < 30000;
  }
}

/* Four clusters of three hosts; some accept no inbound connections. */
static const char *const FIREWALLS[] = {"", " inbound=no"};

static struct platform *clusters(uint32_t closed)
{
  char text[1024];
  size_t n = 0;
  for (uint32_t c = 0; c < 4; c++)
    n += (size_t)snprintf(text + n, sizeof text - n, "cluster %c hosts=3x1Gf%s\n", 'A' + c,
                          FIREWALLS[c > 0 && c <= closed]);
  for (uint32_t a = 0; a < 4; a++)
    for (uint32_t b = a + 1; b < 4; b++)
      n += (size_t)snprintf(text + n, sizeof text - n, "wan %c %c rtt=%ums bandwidth=%uMBps\n",
                            'A' + a, 'A' + b, 2 + a + 2 * b, 20 + b);
  return opened_clusters(text);
}

/* The bytes and messages that relays must forward, according to the routes. */
static uint64_t expected_bytes(const struct toy *toy, const struct overlay_spec *s,
                               const struct platform *p, const struct mapping *m,
                               uint64_t *messages)
{
  struct overlay_network n;
  struct err e;
  uint64_t bytes = 0;
  *messages = 0;
  assert_int_equal(overlay_network_make(&n, s, p, m, NULL, &e), OK);
  for (uint32_t i = 0; i < MESSAGES; i++) {
    const struct message *x = &toy->message[i];
    uint32_t hops = 0;
    for (uint32_t at = x->src; at != x->transfer.dst; hops++)
      at = overlay_network_next(&n, at, x->transfer.dst);
    bytes += hops > 1 ? (hops - 1) * x->bytes : 0;
    *messages += hops > 1;
  }
  overlay_network_clear(&n);
  return bytes;
}

/* Messages of a pair must end in the order of their sends. */
static void check_order(const struct toy *toy)
{
  for (uint32_t k = 0; k < MESSAGES; k++)
    for (uint32_t i = 0; i < k; i++) {
      const struct message *x = &toy->message[i], *m = &toy->message[k];
      if (x->src == m->src && x->transfer.dst == m->transfer.dst && x->late == m->late)
        assert_true(x->end <= m->end + 1e-9);
    }
}

static struct overlay_figures run_toy(struct toy *toy, const char *engine, const struct platform *p,
                                      const struct mapping *m, const struct overlay_spec *s)
{
  static const struct profiles NONE;
  char path[] = "/tmp/overlay-XXXXXX.xml";
  struct err e;
  struct overlay *o;
  struct driver d = {.state = toy,
                     .actor = "rank",
                     .actors = RANKS,
                     .eager = true,
                     .attach = attach,
                     .step = step};
  const struct overlay_site site = {.platform = p, .mapping = m};
  const int fd = mkstemps(path, 4);
  assert_true(fd >= 0);
  close(fd);
  assert_int_equal(platform_save(p, path, &e), OK);
  const struct engine_config c = {.platform = p,
                                  .profiles = &NONE,
                                  .platform_file = path,
                                  .platform_name = path,
                                  .model = registry_at(&sim_models, 2),
                                  .precision_s = 1e-12,
                                  .maxmin_precision = 1e-9};
  if (overlay_new(&o, s, &site, &e) != OK || overlay_driver(o, &d, &d, &e) != OK ||
      ((const struct engine *)registry_get(&engines, engine, &e))->run(&c, &d, &e) != OK)
    fail_msg("%s", e.text);
  unlink(path);
  assert_false(overlay_failed(o));
  const struct overlay_figures f = overlay_figures(o);
  overlay_free(o);
  return f;
}

/* Returns the time when the last rank ends. */
static double check(const char *engine, const char *text, uint32_t closed, uint64_t seed)
{
  struct toy toy;
  struct err e;
  struct mapping m;
  struct overlay_spec s;
  struct platform *p = clusters(closed);
  uint64_t messages;
  assert_int_equal(mapping_new(&m, RANKS, &e), OK);
  for (uint32_t r = 0; r < RANKS; r++)
    m.host[r] = (r * 5 + (uint32_t)seed) % RANKS;
  if (overlay_spec_parse(&s, text, &e) != OK)
    fail_msg("%s", e.text);
  draw(&toy, seed, seed % 2 == 1);
  const uint64_t bytes = expected_bytes(&toy, &s, p, &m, &messages);
  const struct overlay_figures f = run_toy(&toy, engine, p, &m, &s);
  for (uint32_t k = 0; k < MESSAGES; k++)
    assert_true(toy.message[k].over[SEND_SIDE] && toy.message[k].over[RECV_SIDE]);
  check_order(&toy);
  assert_int_equal(f.relayed_messages, messages);
  assert_int_equal(f.relayed_bytes, bytes);
  mapping_clear(&m);
  platform_free(p);
  return toy.end;
}

static const char *const OVERLAYS[] = {"all",
                                       "lazy",
                                       "mcmpi,density=2",
                                       "random,density=3,seed=3",
                                       "random,density=3,segment=4KiB,buffer=16KiB",
                                       "mcmpi,density=3,setup=0,relay=0,copy=1e300Bps,seed=7",
                                       "all,queue=1MB,loss=1",
                                       "random,density=3,queue=10kB"};

static void messages_arrive_once_and_in_order(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < COUNT(OVERLAYS); i++)
    for (uint32_t closed = 0; closed < 3; closed++)
      for (uint64_t seed = 0; seed < 8; seed++)
        assert_true(check("flow", OVERLAYS[i], closed, seed) > 0);
}

static void the_engines_agree(void **state)
{
  (void)state;
  const double flow = check("flow", OVERLAYS[4], 2, 5);
  const double simgrid = check("simgrid-full", OVERLAYS[4], 2, 5);
  if (!(flow - simgrid <= 1e-6 * flow && simgrid - flow <= 1e-6 * flow))
    fail_msg("%.12g s and %.12g s", flow, simgrid);
}

static void specs_are_checked(void **state)
{
  static const struct {
    const char *text, *error;
  } ROWS[] = {
      {"mcmpi", NULL},
      {"random,density=3,seed=18446744073709551615", NULL},
      {"lazy,setup=0.5,segment=1MiB,buffer=4MB,relay=0,copy=10GBps", NULL},
      {"mcpi", "unknown overlay 'mcpi', perhaps 'mcmpi'"},
      {"", "unknown overlay ''"},
      {"mcmpi,", "overlay 'mcmpi,' ends with a comma"},
      {"mcmpi,density=0", "density: 0 is below the minimum of 1"},
      {"mcmpi,density", "option 'density' has no value"},
      {"all,density=2", "'all' connects all pairs: it has no density and no seed"},
      {"lazy,seed=2", "'lazy' connects all pairs: it has no density and no seed"},
      {"mcmpi,segment=0", "segment: "},
      {"mcmpi,buffer=2TiB", "buffer: 2199023255552 bytes are above the maximum of 1099511627776"},
      {"mcmpi,setup=-1", "setup: "},
      {"mcmpi,seed=x", "seed: "},
      {"mcmpi,copy=0", "copy: "},
      {"mcmpi,relay=soon", "relay: "},
      {"all,queue=1MB,loss=0", NULL},
      {"all,loss=1", "'loss' needs 'queue'"},
      {"all,queue=0", "queue: "},
      {"all,queue=1MB,loss=5", "loss: "}};
  (void)state;
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct overlay_spec s;
    struct err e = {.text = ""};
    const enum status status = overlay_spec_parse(&s, ROWS[i].text, &e);
    if ((status == OK) != (ROWS[i].error == NULL) ||
        (status != OK && strstr(e.text, ROWS[i].error) == NULL))
      fail_msg("'%s': %s", ROWS[i].text, status == OK ? "is accepted" : e.text);
  }
}

/* With three of the four clusters closed, a graph with density 1 may be disconnected. */
static void disconnected_graphs_are_refused(void **state)
{
  struct platform *p = clusters(3);
  struct mapping m;
  struct overlay_spec s;
  struct overlay *o;
  struct err e;
  uint32_t refused = 0;
  (void)state;
  assert_int_equal(mapping_new(&m, RANKS, &e), OK);
  for (uint32_t r = 0; r < RANKS; r++)
    m.host[r] = r;
  const struct overlay_site site = {.platform = p, .mapping = &m};
  assert_int_equal(overlay_spec_parse(&s, "random,density=1", &e), OK);
  for (s.seed = 0; s.seed < 50; s.seed++)
    if (overlay_new(&o, &s, &site, &e) == OK) {
      overlay_free(o);
    } else {
      assert_non_null(strstr(e.text, "overlay 'random': "));
      refused++;
    }
  assert_true(refused > 0 && refused < 50);
  mapping_clear(&m);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(specs_are_checked), cmocka_unit_test(disconnected_graphs_are_refused),
      cmocka_unit_test(messages_arrive_once_and_in_order), cmocka_unit_test(the_engines_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
