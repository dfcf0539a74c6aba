#include "mappers/general/recognise/axes.h"

#include <math.h>
#include <string.h>

enum {
  ANGLES = 48, /* angles tried, up to a quarter turn */
  ROUNDS = 4,  /* rotations of each pair of columns */
  BINS = 64    /* of phases */
};

/* Scales a column to mean 0 and variance 1.  Returns its standard deviation. */
static double scale(double *x, uint32_t n)
{
  double sum = 0, squares = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += x[i];
  for (uint32_t i = 0; i < n; i++) {
    x[i] -= sum / n;
    squares += x[i] * x[i];
  }
  const double deviation = sqrt(squares / n);
  for (uint32_t i = 0; i < n; i++)
    x[i] = deviation > 1e-9 ? x[i] / deviation : 0;
  return deviation;
}

/* The sum of the fourth moments of two columns after a rotation, from their mixed moments m[]. */
static double fourths(const double m[5], double angle)
{
  const double c = cos(angle), s = sin(angle);
  const double c2 = c * c, s2 = s * s;
  const double first = c2 * c2 * m[0] + 4 * c2 * c * s * m[1] + 6 * c2 * s2 * m[2] +
                       4 * c * s2 * s * m[3] + s2 * s2 * m[4];
  const double second = s2 * s2 * m[0] - 4 * s2 * s * c * m[1] + 6 * c2 * s2 * m[2] -
                        4 * s * c2 * c * m[3] + c2 * c2 * m[4];
  return first + second;
}

/* The rotation of two columns with the least sum of fourth moments. */
static double best_angle(const double *a, const double *b, uint32_t n)
{
  double m[5] = {0};
  for (uint32_t i = 0; i < n; i++) {
    const double u = a[i], v = b[i];
    m[0] += u * u * u * u;
    m[1] += u * u * u * v;
    m[2] += u * u * v * v;
    m[3] += u * v * v * v;
    m[4] += v * v * v * v;
  }
  double best = 0, least = fourths(m, 0);
  for (int i = 1; i < ANGLES; i++) {
    const double angle = i * M_PI / 2 / ANGLES, sum = fourths(m, angle);
    if (sum < least * (1 - 1e-12)) {
      least = sum;
      best = angle;
    }
  }
  return best;
}

/* Rotates @p n pairs of coordinates. */
static void turn(double *a, double *b, uint32_t n, double angle)
{
  const double c = cos(angle), s = sin(angle);
  for (uint32_t i = 0; i < n; i++) {
    const double u = a[i], v = b[i];
    a[i] = c * u + s * v;
    b[i] = c * v - s * u;
  }
}

void axes_turn(double *x, uint32_t n, uint32_t k, double *extent)
{
  double matrix[AXES_MOST][AXES_MOST] = {{0}}; /* row r: the direction of column r */
  double deviation[AXES_MOST];
  for (uint32_t r = 0; r < k; r++) {
    deviation[r] = scale(x + (size_t)r * n, n);
    matrix[r][r] = 1;
  }
  for (int round = 0; round < ROUNDS; round++)
    for (uint32_t a = 0; a < k; a++)
      for (uint32_t b = a + 1; b < k; b++) {
        double *first = x + (size_t)a * n, *second = x + (size_t)b * n;
        const double angle = best_angle(first, second, n);
        if (angle == 0)
          continue;
        turn(first, second, n, angle);
        turn(matrix[a], matrix[b], k, angle);
      }
  for (uint32_t r = 0; r < k; r++) {
    double sum = 0;
    for (uint32_t i = 0; i < k; i++) {
      const double part = matrix[r][i] * deviation[i];
      sum += part * part;
    }
    extent[r] = sqrt(sum);
  }
}

double axes_mixed(const double *x, uint32_t n, uint32_t a, uint32_t b)
{
  const double *first = x + (size_t)a * n, *second = x + (size_t)b * n;
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    const double u = first[i], v = second[i];
    sum += u * u * v * v;
  }
  return sum / n;
}

void axes_phase(double *x, uint32_t n, uint32_t a, uint32_t b, uint32_t out)
{
  const double *first = x + (size_t)a * n, *second = x + (size_t)b * n;
  double *phase = x + (size_t)out * n;
  uint32_t bin[BINS] = {0}, emptiest = 0;
  for (uint32_t i = 0; i < n; i++) {
    const double turns = atan2(second[i], first[i]) / (2 * M_PI) + 0.5;
    phase[i] = turns < 1 ? turns : 0;
    bin[(uint32_t)(phase[i] * BINS)]++;
  }
  for (uint32_t i = 1; i < BINS; i++)
    emptiest = bin[i] < bin[emptiest] ? i : emptiest;
  for (uint32_t i = 0; i < n; i++) {
    phase[i] -= (emptiest + 0.5) / BINS;
    phase[i] += phase[i] < 0 ? 1 : 0;
  }
}
