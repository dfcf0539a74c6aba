/* Lists of coordinates.  "coordinates": line r has the coordinates of the host of rank r, X first,
 * separated by blanks or commas; comments begin with #.  "vcoordfile": the file of Fujitsu's
 * mpiexec --vcoordfile, with lines such as "(1,0,2)" of one to three coordinates. */
#include <inttypes.h>
#include <string.h>

#include "common/num.h"
#include "platforms/mapping/mapping_internal.h"
#include "platforms/topology/grid.h"

#define BLANKS " \t"

static bool looks_like_numbers(const char *line, const struct platform *p)
{
  (void)p;
  const char *first = line + strspn(line, BLANKS);
  const char *digit = first + strspn(first, "-+");
  const char end = first[strspn(first, "0123456789+-," BLANKS)];
  return *digit >= '0' && *digit <= '9' && (end == '\0' || end == '#');
}

/* Cuts the next number and the comma or blanks after it from *rest.  Sets *rest to NULL at the end
 * of the line, but not after a comma, so that a missing number is an error. */
static char *next_number(char **rest)
{
  char *number = *rest + strspn(*rest, BLANKS);
  char *end = number + strcspn(number, "," BLANKS);
  char *next = end + strspn(end, BLANKS);
  if (*next == '\0')
    *rest = NULL;
  else
    *rest = *next == ',' ? next + 1 : next;
  *end = '\0';
  return number;
}

/* Parses the coordinates of a host. */
static enum status parse_host(const struct topology *t, char *line, uint32_t *host, struct err *e)
{
  uint32_t ndims, d = 0, stride = 1, sum = 0;
  const uint32_t *side = grid_sides(t, &ndims);
  uint64_t value;
  for (char *rest = line; rest != NULL; d++) {
    const char *number = next_number(&rest);
    if (d >= ndims)
      continue;
    if (num_u64(number, side[d] - 1, &value, e) != OK)
      return err_set(e, "coordinate %" PRIu32 " on %s: %s", d + 1, topology_spec(t), e->text);
    sum += (uint32_t)value * stride;
    stride *= side[d];
  }
  if (d != ndims)
    return err_set(e, "expected %" PRIu32 " coordinates on %s, not %" PRIu32, ndims,
                   topology_spec(t), d);
  *host = sum;
  return OK;
}

/* Coordinates name a node, without a core (binding_find()). */
static enum status take_host(struct mapping_reader *r, char *line, struct err *e)
{
  const struct topology *t;
  const struct platform *nodes = platform_nodes(r->platform);
  uint32_t host = 0;
  if (platform_need_grid(nodes, "a list of coordinates", &t, e) != OK ||
      parse_host(t, line, &host, e) != OK)
    return FAIL;
  host += nodes == r->platform ? 0 : platform_hosts(r->platform);
  if (r->next < r->m->ranks)
    r->m->host[r->next++] = host;
  return OK;
}

/* Cuts off a comment.  True if words are left. */
static bool has_words(char *line)
{
  line[strcspn(line, "#")] = '\0';
  return line[strspn(line, BLANKS)] != '\0';
}

static enum status read_line(struct mapping_reader *r, char *line, struct err *e)
{
  return has_words(line) ? take_host(r, line, e) : OK;
}

static enum status finish(const struct mapping_reader *r, struct err *e)
{
  if (r->next < r->m->ranks)
    return err_set(e, "the file has the coordinates of only %" PRIu32 " of %" PRIu32 " ranks",
                   r->next, r->m->ranks);
  return OK;
}

static enum status check(const struct mapping *m, const struct platform *p, struct err *e)
{
  const struct topology *unused;
  (void)m;
  return platform_need_grid(p, "a list of coordinates", &unused, e);
}

/* Writes a line for each rank: around[0], the coordinates with around[1] between them, around[2].
 */
static enum status print(const struct mapping *m, const struct platform *p, FILE *f,
                         const char *const around[3])
{
  uint32_t ndims;
  const uint32_t *side = grid_sides(platform_topology(p), &ndims);
  for (uint32_t r = 0; r < m->ranks; r++) {
    uint32_t rest = m->host[r];
    for (uint32_t d = 0; d < ndims; rest /= side[d++])
      fprintf(f, "%s%" PRIu32, around[d > 0], rest % side[d]);
    fputs(around[2], f);
  }
  return OK;
}

static enum status write(const struct mapping *m, const struct platform *p, FILE *f, struct err *e)
{
  (void)e;
  return print(m, p, f, (const char *const[]){"", " ", "\n"});
}

const struct mapping_format mapping_coordinates = {
    .name = "coordinates",
    .recognise = looks_like_numbers,
    .read_line = read_line,
    .finish = finish,
    .check = check,
    .write = write,
};

/* --- vcoordfile ------------------------------------------------------------------------------- */

static bool looks_like_parentheses(const char *line, const struct platform *p)
{
  (void)p;
  return line[strspn(line, BLANKS)] == '(';
}

static enum status read_parentheses(struct mapping_reader *r, char *line, struct err *e)
{
  if (!has_words(line))
    return OK;
  char *open = line + strspn(line, BLANKS), *close = strchr(open, ')');
  if (*open != '(' || close == NULL || close[1 + strspn(close + 1, BLANKS)] != '\0')
    return err_set(e, "expected coordinates as (1,0,2), not '%.80s'", open);
  *close = '\0';
  return take_host(r, open + 1, e);
}

static enum status check_vcoord(const struct mapping *m, const struct platform *p, struct err *e)
{
  const struct topology *t;
  uint32_t ndims;
  (void)m;
  if (platform_need_grid(p, "a vcoordfile", &t, e) != OK)
    return FAIL;
  grid_sides(t, &ndims);
  return ndims <= 3
             ? OK
             : err_set(e, "a vcoordfile has up to 3 coordinates per rank, but %s has %" PRIu32,
                       topology_spec(t), ndims);
}

static enum status write_vcoord(const struct mapping *m, const struct platform *p, FILE *f,
                                struct err *e)
{
  (void)e;
  return print(m, p, f, (const char *const[]){"(", ",", ")\n"});
}

const struct mapping_format mapping_vcoordfile = {
    .name = "vcoordfile",
    .recognise = looks_like_parentheses,
    .read_line = read_parentheses,
    .finish = finish,
    .check = check_vcoord,
    .write = write_vcoord,
};
