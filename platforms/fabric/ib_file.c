#include "platforms/fabric/ib_file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/linefile.h"
#include "common/mem.h"
#include "common/num.h"

enum {
  LONGEST_ID = 63, /* in bytes */
  LAST_PORT = 254,
  LAST_LID = 0xbfff, /* last unicast lid */
  MOST_NODES = 1 << 20
};

struct reader {
  struct ib_file *f;
  const char *path;
  uint64_t line;
  bool inside; /* a node has begun */
  struct err *e;
};

void ib_file_clear(struct ib_file *f)
{
  for (uint32_t i = 0; i < f->nodes; i++) {
    free(f->node[i].id);
    free(f->node[i].description);
  }
  for (uint32_t i = 0; f->peer != NULL && i < f->ports; i++)
    free(f->peer[i]);
  free(f->node);
  free(f->port);
  free(f->peer);
  index_clear(&f->ids);
  pairs_clear(&f->at);
  *f = (struct ib_file){0};
}

static uint64_t hash_id(const void *nodes, uint32_t i)
{
  return index_text(((const struct ib_node *)nodes)[i].id);
}

static bool same_id(const void *nodes, uint32_t i, const void *id)
{
  return strcmp(((const struct ib_node *)nodes)[i].id, id) == 0;
}

/* The node with this id; INDEX_NONE if there is none. */
static uint32_t find_node(const struct ib_file *f, const char *id)
{
  return index_find(&f->ids, index_text(id), same_id, f->node, id);
}

/* --- parts of a line -------------------------------------------------------------------------- */

static void skip_blanks(char **at)
{
  *at += strspn(*at, " \t");
}

/* Parses the number from *at to the character @p end, and moves *at past the character. */
static enum status read_number(struct reader *r, char **at, char end, uint64_t most, uint32_t *out)
{
  char *stop = strchr(*at, end);
  uint64_t value;
  if (stop == NULL)
    return err_set(r->e, "no '%c' after '%.40s'", end, *at);
  *stop = '\0';
  const enum status s = num_u64(*at, most, &value, r->e);
  *at = stop + 1;
  *out = (uint32_t)value;
  return s;
}

/* Cuts the id in quotes at *at. */
static enum status read_id(struct reader *r, char **at, char **id)
{
  skip_blanks(at);
  char *end = **at == '"' ? strchr(*at + 1, '"') : NULL;
  const char *text = *at + 1;
  size_t n = 0;
  while (end != NULL && (isalnum((unsigned char)text[n]) || text[n] == '-'))
    n++;
  if (end == NULL || n == 0 || n > LONGEST_ID || text + n != end)
    return err_set(r->e, "expected an id in quotes at '%.40s'", *at);
  *id = *at + 1;
  *end = '\0';
  *at = end + 1;
  return OK;
}

/* Cuts the comment off a line; NULL if there is none. */
static char *cut_comment(char *text)
{
  bool quoted = false;
  for (; *text != '\0'; text++) {
    quoted = quoted != (*text == '"');
    if (*text != '#' || quoted)
      continue;
    *text = '\0';
    return text + 1;
  }
  return NULL;
}

/* Cuts the description out of a comment: the text between the first and the last quote.  *after is
 * the text after it.  Both are empty if the comment has no quotes. */
static char *cut_description(char *comment, char **after)
{
  char *first = comment == NULL ? NULL : strchr(comment, '"');
  char *last = comment == NULL ? NULL : strrchr(comment, '"');
  static char none[] = "";
  *after = none;
  if (first == NULL || first == last)
    return none;
  *first = *last = '\0';
  *after = last + 1;
  return first + 1;
}

/* Finds the number after the word "lid"; 0 if there is none. */
static enum status read_lid(struct reader *r, char *comment, uint32_t *lid)
{
  *lid = 0;
  for (char *word; (word = linefile_word(&comment)) != NULL;) {
    uint64_t value;
    if (strcmp(word, "lid") != 0 || (word = linefile_word(&comment)) == NULL)
      continue;
    if (num_u64(word, LAST_LID, &value, r->e) != OK)
      return err_prefix(r->e, "lid: ");
    *lid = (uint32_t)value;
    return OK;
  }
  return OK;
}

/* Payload rates of a lane, in Gbit/s, after the line coding. */
static const struct {
  const char *name;
  double Gbps;
} SPEEDS[] = {{"SDR", 2},  {"DDR", 4},  {"QDR", 8},   {"FDR10", 10}, {"FDR", 150.0 / 11},
              {"EDR", 25}, {"HDR", 50}, {"NDR", 100}, {"XDR", 200}};

/* Parses width and speed, as 4xHDR, among the words of @p text. */
static enum status read_speed(struct reader *r, char *text, double *out)
{
  *out = 0;
  for (char *word; (word = linefile_word(&text)) != NULL;) {
    const size_t digits = strspn(word, "0123456789");
    uint64_t lanes;
    if (digits == 0 || word[digits] != 'x')
      continue;
    word[digits] = '\0';
    for (size_t i = 0; i < sizeof SPEEDS / sizeof *SPEEDS; i++)
      if (strcmp(word + digits + 1, SPEEDS[i].name) == 0 && num_u64(word, 12, &lanes, r->e) == OK &&
          lanes > 0)
        *out = (double)lanes * SPEEDS[i].Gbps * 1e9 / 8;
    if (*out > 0)
      return OK;
    return err_set(r->e, "'%.20sx%.20s' is not the width and speed of a cable, as 4xHDR", word,
                   word + digits + 1);
  }
  return OK;
}

/* --- lines ------------------------------------------------------------------------------------ */

static enum status add_node(struct reader *r, enum ib_kind kind, const char *id,
                            const char *description)
{
  struct ib_file *f = r->f;
  if (find_node(f, id) != INDEX_NONE)
    return err_set(r->e, "a second node '%s'", id);
  if (f->nodes == MOST_NODES)
    return err_set(r->e, "more than %d nodes", MOST_NODES);
  if (MEM_GROW(f->node, f->node_room, (size_t)f->nodes + 1, r->e) != OK ||
      index_reserve(&f->ids, f->nodes, hash_id, f->node, r->e) != OK)
    return FAIL;
  struct ib_node *n = &f->node[f->nodes];
  *n = (struct ib_node){.kind = kind};
  if ((n->id = mem_strdup(id, r->e)) == NULL ||
      (n->description = mem_strdup(description, r->e)) == NULL) {
    free(n->id);
    return FAIL;
  }
  index_add(&f->ids, hash_id(f->node, f->nodes), f->nodes);
  f->nodes++;
  r->inside = true;
  return OK;
}

/* Reads "Switch 24 "ID" # "DESCRIPTION" ...". */
static enum status read_node(struct reader *r, enum ib_kind kind, char *text)
{
  char *id = NULL, *after, *comment = cut_comment(text);
  uint64_t ports;
  const char *word = linefile_word(&text);
  const char *description = cut_description(comment, &after);
  if (word == NULL || num_u64(word, LAST_PORT, &ports, r->e) != OK)
    return err_set(r->e, "expected the number of ports, at most %d", LAST_PORT);
  if (read_id(r, &text, &id) != OK)
    return FAIL;
  if (kind == IB_ADAPTER && strstr(description, "Aggregation Node") != NULL)
    kind = IB_OTHER;
  return add_node(r, kind, id, description);
}

/* Reads "[1](GUID) "PEER"[6](GUID) # ..." into @p p, except for its nodes.  External ports of a
 * chassis, "[ext 3]", are skipped. */
static enum status read_ends(struct reader *r, char *text, struct ib_port *p, char **peer)
{
  text++;
  if (read_number(r, &text, ']', LAST_PORT, &p->number) != OK)
    return err_prefix(r->e, "port: ");
  text += strcspn(text, "\"");
  if (read_id(r, &text, peer) != OK)
    return FAIL;
  if (*text++ != '[')
    return err_set(r->e, "no port of '%s'", *peer);
  return read_number(r, &text, ']', LAST_PORT, &p->peer_number) == OK ? OK
                                                                      : err_prefix(r->e, "port: ");
}

static enum status read_port(struct reader *r, char *text)
{
  struct ib_file *f = r->f;
  struct ib_port p = {.node = f->nodes - 1, .line = r->line};
  char *peer = NULL, *after, *comment = cut_comment(text);
  uint32_t number;
  if (!r->inside)
    return err_set(r->e, "a port before the first node");
  cut_description(comment, &after);
  if (read_ends(r, text, &p, &peer) != OK || read_speed(r, after, &p.bandwidth_Bps) != OK)
    return FAIL;
  if (f->node[p.node].kind == IB_ADAPTER && comment != NULL && read_lid(r, comment, &p.lid) != OK)
    return FAIL;
  if (pairs_find(&f->at, p.node, p.number) != PAIRS_NONE)
    return err_set(r->e, "a second cable at port %" PRIu32 " of '%s'", p.number,
                   f->node[p.node].id);
  if (MEM_GROW(f->port, f->port_room, (size_t)f->ports + 1, r->e) != OK ||
      MEM_GROW(f->peer, f->peer_room, (size_t)f->ports + 1, r->e) != OK ||
      pairs_add(&f->at, p.node, p.number, &number, r->e) != OK ||
      (f->peer[f->ports] = mem_strdup(peer, r->e)) == NULL)
    return FAIL;
  f->port[f->ports++] = p;
  return OK;
}

static bool begins(const char *text, const char *word)
{
  return strncmp(text, word, strlen(word)) == 0;
}

static enum status read_line(struct reader *r, char *text)
{
  static const struct {
    const char *word;
    enum ib_kind kind;
  } NODES[] = {{"Switch", IB_SWITCH}, {"Ca", IB_ADAPTER}, {"Rt", IB_OTHER}};
  static const char *const SKIPPED[] = {"vendid=", "devid=",  "sysimgguid=", "switchguid=",
                                        "caguid=", "rtguid=", "Chassis ",    "Non-Chassis "};
  skip_blanks(&text);
  if (*text == '\0' || *text == '#')
    return OK;
  if (*text == '[')
    return read_port(r, text);
  for (size_t i = 0; i < sizeof NODES / sizeof *NODES; i++)
    if (begins(text, NODES[i].word) && isblank((unsigned char)text[strlen(NODES[i].word)]))
      return read_node(r, NODES[i].kind, text + strlen(NODES[i].word));
  for (size_t i = 0; i < sizeof SKIPPED / sizeof *SKIPPED; i++)
    if (begins(text, SKIPPED[i]))
      return OK;
  return err_set(r->e, "'%.40s' is no line of ibnetdiscover", text);
}

/* --- cables ----------------------------------------------------------------------------------- */

/* Finds the node at the other end of a cable.  Its port must lead back. */
static enum status join(struct reader *r, uint32_t number)
{
  struct ib_file *f = r->f;
  struct ib_port *p = &f->port[number];
  p->peer = find_node(f, f->peer[number]);
  if (p->peer == INDEX_NONE)
    return err_set(r->e, "no node '%s' in the file", f->peer[number]);
  const uint32_t back = pairs_find(&f->at, p->peer, p->peer_number);
  if (back == PAIRS_NONE || f->port[back].peer_number != p->number ||
      strcmp(f->peer[back], f->node[p->node].id) != 0)
    return err_set(r->e, "port %" PRIu32 " of '%s' does not lead back", p->peer_number,
                   f->peer[number]);
  return OK;
}

static enum status join_all(struct reader *r)
{
  for (uint32_t i = 0; i < r->f->ports; i++)
    if (join(r, i) != OK)
      return err_place(r->e, r->path, r->f->port[i].line);
  return r->f->nodes > 0 ? OK : err_set(r->e, "%s: no nodes", r->path);
}

enum status ib_file_read(struct ib_file *f, const char *path, struct err *e)
{
  struct linefile l = {0};
  struct reader r = {.f = f, .path = path, .e = e};
  bool more = true;
  enum status s = linefile_open(&l, path, e);
  while (s == OK && (s = linefile_next(&l, &more, e)) == OK && more) {
    r.line = l.line;
    if (read_line(&r, l.text) != OK)
      s = err_place(e, path, l.line);
  }
  linefile_close(&l);
  return s == OK ? join_all(&r) : FAIL;
}
