/* SimGrid 3.32: src/smpi/colls/coll_tuned_topo.cpp. */
#include "traces/collectives/shapes/ompi_tree.h"

#include "traces/collectives/shapes/tree.h"

/* Chains of the ranks other than the root.  The first `longer` chains have `length` ranks, the
 * others one less. */
struct chains {
  uint64_t number, length, longer;
};

static struct chains chains_of(const struct lowering *l, uint32_t fanout)
{
  const uint64_t others = l->ranks - 1;
  struct chains c = {.number = fanout < 1 ? 1 : fanout};
  if (c.number > OMPI_TREE_CHILDREN)
    c.number = OMPI_TREE_CHILDREN;
  if (c.number > others)
    c.number = others;
  if (c.number == 0)
    return c;
  c.length = (others + c.number - 1) / c.number;
  c.longer = others % c.number == 0 ? c.number : others % c.number;
  return c;
}

/* The first rank of chain @p i, relative to the root. */
static uint64_t head_of(const struct chains *c, uint64_t i)
{
  return 1 + i * c->length - (i > c->longer ? i - c->longer : 0);
}

static uint64_t chain_of(const struct chains *c, uint64_t relative)
{
  const uint64_t i = (relative - 1) / c->length;
  if (i < c->longer)
    return i;
  return c->longer + (relative - 1 - c->longer * c->length) / (c->length - 1);
}

struct ompi_tree ompi_tree_chain(const struct lowering *l, uint32_t fanout)
{
  const struct chains c = chains_of(l, fanout);
  const uint64_t relative = tree_relative(l);
  struct ompi_tree t = {.parent = l->root};
  if (relative == 0) {
    for (uint64_t i = 0; i < c.number; i++)
      t.child[t.children++] = tree_absolute(l, head_of(&c, i));
    return t;
  }
  const uint64_t i = chain_of(&c, relative);
  if (relative != head_of(&c, i))
    t.parent = tree_absolute(l, relative - 1);
  if (relative + 1 < l->ranks && relative + 1 != head_of(&c, i + 1))
    t.child[t.children++] = tree_absolute(l, relative + 1);
  return t;
}

struct ompi_tree ompi_tree_binary(const struct lowering *l)
{
  const uint64_t relative = tree_relative(l);
  uint64_t width = 1; /* of the rank's level, which begins at relative rank width - 1 */
  while (2 * width <= relative + 1)
    width *= 2;
  struct ompi_tree t = {.parent = l->root};
  if (relative > 0)
    t.parent = tree_absolute(l, width - 1 + (relative + 1 - width) % (width / 2) - width / 2);
  for (uint64_t k = 1; k <= 2; k++)
    if (relative + k * width < l->ranks)
      t.child[t.children++] = tree_absolute(l, relative + k * width);
  return t;
}

struct ompi_tree ompi_tree_in_order_binary(const struct lowering *l)
{
  uint32_t first = 0, size = l->ranks; /* subtree; its root is its last rank */
  struct ompi_tree t = {.parent = size - 1};
  while (l->rank != first + size - 1) {
    const uint32_t right = size / 2;
    t.parent = first + size - 1;
    if (l->rank >= first + right) {
      first += right;
      size -= right + 1;
    } else {
      size = right;
    }
  }
  if (size > 1)
    t.child[t.children++] = l->rank - 1;
  if (size > 2)
    t.child[t.children++] = first + size / 2 - 1;
  return t;
}

struct ompi_tree ompi_tree_binomial(const struct lowering *l)
{
  const uint64_t relative = tree_relative(l), bit = tree_own_bit(l);
  struct ompi_tree t = {.parent = relative == 0 ? l->root : tree_absolute(l, relative - bit)};
  for (uint64_t mask = 1; mask < bit && relative + mask < l->ranks; mask *= 2)
    t.child[t.children++] = tree_absolute(l, relative + mask);
  return t;
}
