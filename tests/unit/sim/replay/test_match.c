#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "sim/replay/match.h"
#include "traces/program/op.h"

#define SELF 0u /* the receiving rank */

struct post {
  char side;    /* s: a send, r: a receive; S, R: on communicator 1 */
  uint32_t src; /* OP_ANY_SOURCE on a receive */
  int32_t tag;  /* OP_ANY_TAG on a receive */
  int partner;  /* index of the earlier post that it matches, or -1 */
};

#define ANY_SOURCE OP_ANY_SOURCE
#define ANY_TAG    OP_ANY_TAG
#define END                                                                                        \
  {                                                                                                \
    .side = 0                                                                                      \
  }

static const struct {
  const char *what;
  struct post post[8];
} CASE[] = {
    {"by source and tag", {{'s', 1, 5, -1}, {'s', 2, 5, -1}, {'r', 2, 5, 1}, {'r', 1, 5, 0}, END}},
    {"a receive does not match another tag",
     {{'s', 1, 5, -1}, {'r', 1, 6, -1}, {'r', 1, 5, 0}, END}},
    {"first sent, first received",
     {{'s', 1, 5, -1}, {'s', 1, 5, -1}, {'r', 1, 5, 0}, {'r', 1, 5, 1}, END}},
    {"first posted receive first",
     {{'r', 1, 5, -1}, {'r', 1, 5, -1}, {'s', 1, 5, 0}, {'s', 1, 5, 1}, END}},
    {"any source takes the oldest send",
     {{'s', 3, 5, -1}, {'s', 1, 5, -1}, {'r', ANY_SOURCE, 5, 0}, {'r', ANY_SOURCE, 5, 1}, END}},
    {"any source and a named source: the older receive wins",
     {{'r', ANY_SOURCE, 5, -1}, {'r', 1, 5, -1}, {'s', 1, 5, 0}, {'s', 1, 5, 1}, END}},
    {"a named source and any source: the older receive wins",
     {{'r', 1, 5, -1}, {'r', ANY_SOURCE, 5, -1}, {'s', 1, 5, 0}, {'s', 2, 5, 1}, END}},
    {"any tag takes the oldest of its source",
     {{'s', 1, 9, -1}, {'s', 1, 5, -1}, {'r', 1, ANY_TAG, 0}, {'r', 1, ANY_TAG, 1}, END}},
    {"any tag does not match messages of collectives",
     {{'s', 1, -112, -1}, {'r', ANY_SOURCE, ANY_TAG, -1}, {'r', 1, -112, 0}, END}},
    {"any tag takes tag 0 as well", {{'s', 1, 0, -1}, {'r', 1, ANY_TAG, 0}, END}},
    {"each communicator has its own tags",
     {{'S', 1, 5, -1},
      {'s', 1, 5, -1},
      {'r', 1, 5, 1},
      {'r', 1, 5, -1},
      {'R', ANY_SOURCE, ANY_TAG, 0},
      {'R', 1, 5, -1},
      {'s', 1, 5, 3},
      END}},
    {"sends taken out of their order",
     {{'s', 1, 5, -1},
      {'s', 1, 6, -1},
      {'s', 1, 7, -1},
      {'r', 1, 6, 1},
      {'r', 1, ANY_TAG, 0},
      {'r', ANY_SOURCE, ANY_TAG, 2},
      END}},
    {"the last send taken first",
     {{'s', 1, 5, -1},
      {'s', 2, 6, -1},
      {'r', ANY_SOURCE, 6, 1},
      {'s', 2, 7, -1},
      {'r', ANY_SOURCE, ANY_TAG, 0},
      {'r', ANY_SOURCE, ANY_TAG, 3},
      END}},
    {"receives taken out of their order",
     {{'r', 1, 5, -1},
      {'r', 1, 6, -1},
      {'r', 1, 7, -1},
      {'s', 1, 6, 1},
      {'s', 1, 7, 2},
      {'s', 1, 5, 0},
      END}},
    {"receives from any source taken out of their order",
     {{'r', ANY_SOURCE, 5, -1},
      {'r', ANY_SOURCE, 6, -1},
      {'r', ANY_SOURCE, ANY_TAG, -1},
      {'s', 1, 6, 1},
      {'s', 2, 7, 2},
      {'s', 3, 5, 0},
      END}},
    {"a matched send is gone for any source",
     {{'s', 1, 5, -1}, {'s', 2, 5, -1}, {'r', 1, 5, 0}, {'r', ANY_SOURCE, 5, 1}, END}},
    {"a send matched by any source is gone for its source",
     {{'s', 2, 6, -1},
      {'s', 1, 5, -1},
      {'r', ANY_SOURCE, 5, 1},
      {'r', 1, 5, -1},
      {'r', 2, 6, 0},
      END}},
};

static struct message *post(struct matcher *m, const struct post *p)
{
  struct err e;
  const bool sends = p->side == 's' || p->side == 'S', world = p->side == 's' || p->side == 'r';
  struct message t = {
      .transfer = {.src = p->src, .dst = SELF}, .tag = p->tag, .comm = world ? 0 : 1};
  t.transfer.posted[sends ? SEND_SIDE : RECV_SIDE] = true;
  return sends ? match_send(m, &t, &e) : match_recv(m, &t, &e);
}

static void posts_match_as_stated(void **state)
{
  (void)state;
  for (size_t c = 0; c < sizeof CASE / sizeof *CASE; c++) {
    struct matcher *m;
    struct err e;
    struct message *made[8];
    assert_int_equal(matcher_new(&m, 4, &e), OK);
    for (int i = 0; CASE[c].post[i].side != 0; i++) {
      made[i] = post(m, &CASE[c].post[i]);
      const int partner = CASE[c].post[i].partner;
      const bool matched = made[i]->transfer.posted[0] && made[i]->transfer.posted[1];
      if (matched != (partner >= 0) || (matched && made[i] != made[partner]))
        fail_msg("%s: post %d", CASE[c].what, i);
      if (matched && (made[i]->transfer.src == ANY_SOURCE || made[i]->tag == ANY_TAG))
        fail_msg("%s: post %d does not know its sender", CASE[c].what, i);
    }
    matcher_free(m);
  }
}

static const struct message *probe(const struct matcher *m, uint32_t src, int32_t tag,
                                   uint32_t comm)
{
  const struct envelope want = {src, tag, comm};
  return match_probe(m, SELF, &want);
}

static void probes_see_unmatched_sends_only(void **state)
{
  (void)state;
  struct matcher *m;
  struct err e;
  assert_int_equal(matcher_new(&m, 4, &e), OK);
  assert_null(probe(m, 1, 5, 0));
  struct message *t = post(m, &(struct post){'s', 1, 5, -1});
  assert_ptr_equal(probe(m, 1, 5, 0), t);
  assert_ptr_equal(probe(m, OP_ANY_SOURCE, OP_ANY_TAG, 0), t);
  assert_null(probe(m, 2, 5, 0));
  assert_null(probe(m, OP_ANY_SOURCE, OP_ANY_TAG, 1));
  assert_ptr_equal(match_unreceived(m), t);
  post(m, &(struct post){'r', 1, 5, -1});
  assert_null(probe(m, 1, 5, 0));
  assert_null(match_unreceived(m));
  matcher_free(m);
}

static void transfers_are_reused(void **state)
{
  (void)state;
  struct matcher *m;
  struct err e;
  struct message *first = NULL;
  assert_int_equal(matcher_new(&m, 4, &e), OK);
  for (int i = 0; i < 1000; i++) {
    struct message *t = post(m, &(struct post){'s', 1, 5, -1});
    first = i == 0 ? t : first;
    assert_ptr_equal(t, first);
    post(m, &(struct post){'r', 1, 5, -1});
    match_close(m, t);
    match_close(m, t);
  }
  matcher_free(m);
}

/* More pairs and pending messages than the initial size of the tables. */
static void many_pairs_and_messages(void **state)
{
  (void)state;
  enum { N = 40 };
  static struct message *sent[N][N];
  struct matcher *m;
  struct err e;
  assert_int_equal(matcher_new(&m, N, &e), OK);
  for (uint32_t i = 0; i < N * N; i++) {
    const struct message t = {
        .transfer = {.src = i / N, .dst = i % N, .posted = {true, false}, .bytes = i}};
    sent[i / N][i % N] = match_send(m, &t, &e);
    assert_non_null(sent[i / N][i % N]);
  }
  assert_ptr_equal(match_unreceived(m), sent[0][0]);
  for (uint32_t i = 0; i < N * N - 1; i++) {
    const struct message t = {.transfer = {.src = i / N, .dst = i % N, .posted = {false, true}}};
    assert_ptr_equal(match_recv(m, &t, &e), sent[i / N][i % N]);
    assert_int_equal(sent[i / N][i % N]->transfer.bytes, i);
  }
  assert_ptr_equal(match_unreceived(m), sent[N - 1][N - 1]);
  matcher_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(posts_match_as_stated),
      cmocka_unit_test(probes_see_unmatched_sends_only),
      cmocka_unit_test(transfers_are_reused),
      cmocka_unit_test(many_pairs_and_messages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
