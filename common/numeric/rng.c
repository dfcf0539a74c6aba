#include "common/numeric/rng.h"

#include <math.h>

static uint64_t splitmix64(uint64_t *x)
{
  uint64_t z = (*x += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint64_t rotl(uint64_t x, int k)
{
  return (x << k) | (x >> (64 - k));
}

struct rng rng_new(uint64_t seed, uint64_t stream)
{
  struct rng r;
  uint64_t x = seed;
  x = splitmix64(&x) ^ stream;
  for (int i = 0; i < 4; i++)
    r.s[i] = splitmix64(&x);
  return r;
}

uint64_t rng_next(struct rng *r)
{
  const uint64_t result = rotl(r->s[1] * 5, 7) * 9;
  const uint64_t t = r->s[1] << 17;
  r->s[2] ^= r->s[0];
  r->s[3] ^= r->s[1];
  r->s[1] ^= r->s[2];
  r->s[0] ^= r->s[3];
  r->s[2] ^= t;
  r->s[3] = rotl(r->s[3], 45);
  return result;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
  const uint64_t rest = (UINT64_MAX % n + 1) % n; /* 2^64 mod n */
  uint64_t x;
  do
    x = rng_next(r);
  while (x > UINT64_MAX - rest);
  return x % n;
}

double rng_double(struct rng *r)
{
  return (double)(rng_next(r) >> 11) * 0x1p-53;
}

double rng_normal(struct rng *r)
{
  const double radius = sqrt(-2 * log(1 - rng_double(r)));
  return radius * cos(6.283185307179586 * rng_double(r));
}

double rng_half_normal(struct rng *r)
{
  const double mean = sqrt(2 / 3.14159265358979324); /* of |Z|, whose variance is 1 - mean^2 */
  return (fabs(rng_normal(r)) - mean) / sqrt(1 - mean * mean);
}

void rng_shuffle(struct rng *r, uint32_t *v, uint32_t n)
{
  for (uint32_t i = n; i > 1; i--) {
    const uint32_t j = (uint32_t)rng_below(r, i);
    const uint32_t t = v[i - 1];
    v[i - 1] = v[j];
    v[j] = t;
  }
}
