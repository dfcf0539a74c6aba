#include "common/num.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status num_u64(const char *text, uint64_t max, uint64_t *out, struct err *e)
{
  uint64_t value = 0;
  const char *p = text;
  for (; *p >= '0' && *p <= '9'; p++) {
    const uint64_t digit = (uint64_t)(*p - '0');
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value))
      return err_set(e, "'%.64s' is out of range", text);
  }
  if (p == text || *p != '\0')
    return err_set(e, "'%.64s' is not a whole number", text);
  if (value > max)
    return err_set(e, "%" PRIu64 " is above the maximum of %" PRIu64, value, max);
  *out = value;
  return OK;
}

static locale_t numbers; /* the locale "C"; the library's program may have another one */

static void make_locale(void)
{
  numbers = newlocale(LC_NUMERIC_MASK, "C", NULL);
}

/* Parses a decimal number and returns its end, or NULL.  Refuses other inputs of strtod():
 * hexadecimal, "inf", "nan", leading white space, values outside the range of a double. */
static const char *scan_double(const char *text, double *out)
{
  const char *p = text + (*text == '-' || *text == '+');
  if (!((*p >= '0' && *p <= '9') || *p == '.') || (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')))
    return NULL;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  char *end;
  pthread_once(&once, make_locale);
  errno = 0;
  *out = numbers == NULL ? strtod(text, &end) : strtod_l(text, &end, numbers);
  return end == text || errno == ERANGE || !isfinite(*out) ? NULL : end;
}

enum status num_double(const char *text, double min, double max, double *out, struct err *e)
{
  double value;
  uint32_t digits;
  if (num_short(text, &digits)) {
    value = digits;
  } else {
    const char *end = scan_double(text, &value);
    if (end == NULL || *end != '\0')
      return err_set(e, "'%.64s' is not a number", text);
  }
  if (value < min || value > max)
    return err_set(e, "%.64s is outside %g..%g", text, min, max);
  *out = value;
  return OK;
}

enum status num_i64(const char *text, int64_t min, int64_t max, int64_t *out, struct err *e)
{
  const char *digits = text + (*text == '-');
  const size_t n = strspn(digits, "0123456789");
  int64_t value;
  if (n > 0 && digits[n] == '\0') {
    errno = 0;
    value = strtoll(text, NULL, 10);
    if (errno == ERANGE)
      return err_set(e, "'%.64s' is out of range", text);
  } else {
    double d;
    const char *end = scan_double(text, &d);
    if (end == NULL || *end != '\0' || d != floor(d) || fabs(d) > 9007199254740992.0)
      return err_set(e, "'%.64s' is not a whole number", text);
    value = (int64_t)d;
  }
  if (value < min || value > max)
    return err_set(e, "%.64s is outside %" PRId64 "..%" PRId64, text, min, max);
  *out = value;
  return OK;
}

#define QUANTITY_MAX 1e300

struct unit {
  const char *name;
  double factor;
};

/* Decimal, binary and spelled-out prefixes. */
static const struct unit DECIMAL[] = {
    {"", 1.0},   {"k", 1e3},  {"M", 1e6},  {"G", 1e9},  {"T", 1e12},
    {"P", 1e15}, {"E", 1e18}, {"Z", 1e21}, {"Y", 1e24}, {NULL, 0.0},
};
static const struct unit BINARY[] = {
    {"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40}, {"Pi", 0x1p50},
    {"Ei", 0x1p60}, {"Zi", 0x1p70}, {"Yi", 0x1p80}, {NULL, 0.0},
};
static const struct unit SPELLED[] = {
    {"", 1.0},      {"kilo", 1e3}, {"mega", 1e6},  {"giga", 1e9},   {"tera", 1e12},
    {"peta", 1e15}, {"exa", 1e18}, {"zeta", 1e21}, {"yotta", 1e24}, {NULL, 0.0},
};

static const struct unit TIMES[] = {
    {"w", 604800.0}, {"d", 86400.0}, {"h", 3600.0}, {"m", 60.0},   {"s", 1.0},
    {"ms", 1e-3},    {"us", 1e-6},   {"ns", 1e-9},  {"ps", 1e-12}, {NULL, 0.0},
};

/* The factor if @p unit is a prefix of @p table followed by @p suffix; 0 if not. */
static double prefixed(const char *unit, const struct unit *table, const char *suffix)
{
  const size_t n = strlen(unit), m = strlen(suffix);
  if (n < m || strcmp(unit + n - m, suffix) != 0)
    return 0.0;
  for (const struct unit *p = table; p->name != NULL; p++)
    if (strlen(p->name) == n - m && strncmp(unit, p->name, n - m) == 0)
      return p->factor;
  return 0.0;
}

/* The factor if @p unit is a decimal or binary prefix followed by @p suffix; 0 if not. */
static double bandwidth_factor(const char *unit, const char *suffix)
{
  const double factor = prefixed(unit, DECIMAL, suffix);
  return factor > 0 ? factor : prefixed(unit, BINARY, suffix);
}

static double unit_factor(const char *unit, enum num_unit kind)
{
  if (*unit == '\0')
    return 1.0;
  if (kind == NUM_TIME)
    return prefixed(unit, TIMES, "");
  if (kind == NUM_SIZE)
    return bandwidth_factor(unit, "B");
  const bool speed = kind == NUM_SPEED;
  const double factor = speed ? prefixed(unit, DECIMAL, "f") : bandwidth_factor(unit, "Bps");
  if (factor > 0)
    return factor;
  return speed ? prefixed(unit, SPELLED, "flops") : bandwidth_factor(unit, "bps") / 8;
}

static const struct {
  const char *what, *units;
} QUANTITY[] = {
    [NUM_SPEED] = {"speed (as 1Gf)", "f, kf, Mf, Gf, Tf, Pf"},
    [NUM_BANDWIDTH] = {"bandwidth (as 1.25GBps)",
                       "Bps, kBps, MBps, GBps, TBps, KiBps, MiBps, GiBps, bps, kbps, Mbps, Gbps"},
    [NUM_SIZE] = {"size (as 4GiB)", "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB"},
    [NUM_TIME] = {"time (as 100ns)", "ps, ns, us, ms, s, m, h, d, w"},
};

/* Common spellings of units, and the unit that haichi reads. */
static const struct {
  const char *written, *unit;
} OTHERS[] = {{"B/s", "Bps"},      {"b/s", "bps"}, {"bit/s", "bps"}, {"flop/s", "f"},
              {"flops", "f"},      {"flop", "f"},  {"Flops", "f"},   {"FLOPS", "f"},
              {"Flop/s", "f"},     {"F", "f"},     {"Bytes", "B"},   {"bytes", "B"},
              {"\xc2\xb5s", "us"}, {"sec", "s"},   {"seconds", "s"}, {"minutes", "m"},
              {"min", "m"},        {"hours", "h"}};

/* Adds ", perhaps '10GBps'" to the sentence if the unit is another spelling of a known one. */
static void suggest(const char *text, const char *unit, enum num_unit kind, struct err *e)
{
  const size_t n = strlen(unit), before = (size_t)(unit - text);
  char other[16];
  for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
    const size_t m = strlen(OTHERS[i].written);
    if (n < m || n - m > 3 || before > 32 || strcmp(unit + n - m, OTHERS[i].written) != 0)
      continue;
    snprintf(other, sizeof other, "%.*s%s", (int)(n - m), unit, OTHERS[i].unit);
    if (unit_factor(other, kind) > 0) {
      err_set(e, "'%.64s' is not a %s, perhaps '%.*s%s'", text, QUANTITY[kind].what, (int)before,
              text, other);
      return;
    }
  }
}

enum status num_quantity_bare(const char *text, enum num_unit unit, double *out, struct err *e)
{
  double value;
  const char *end = scan_double(text, &value);
  const double factor = end == NULL ? 0.0 : unit_factor(end, unit);
  if (factor == 0.0) {
    err_set(e, "'%.64s' is not a %s", text, QUANTITY[unit].what);
    if (end != NULL)
      suggest(text, end, unit, e);
    return FAIL;
  }
  value *= factor;
  if (!(value <= QUANTITY_MAX) || value < 0 || (value <= 0 && unit != NUM_TIME))
    return err_set(e, "the %s '%.64s' is out of range: it must be %s 0, and at most %g",
                   QUANTITY[unit].what, text, unit == NUM_TIME ? "at least" : "above",
                   QUANTITY_MAX);
  *out = value;
  return OK;
}

enum status num_quantity(const char *text, enum num_unit unit, double *out, struct err *e)
{
  double value;
  const char *end = scan_double(text, &value);
  if (end != NULL && *end == '\0' && value != 0)
    return err_set(e, "'%.64s' has no unit; a %s is in %s", text, QUANTITY[unit].what,
                   QUANTITY[unit].units);
  return num_quantity_bare(text, unit, out, e);
}

enum status num_share(const char *text, double max, double *out, struct err *e)
{
  char number[64];
  const size_t n = strlen(text);
  if (n == 0 || text[n - 1] != '%')
    return num_double(text, 0, max, out, e);
  if (snprintf(number, sizeof number, "%.*s", (int)(n - 1), text) >= (int)sizeof number)
    return err_set(e, "'%.32s...' is too long for a number", text);
  if (num_double(number, 0, max * 100, out, e) != OK)
    return FAIL;
  *out /= 100;
  return OK;
}
