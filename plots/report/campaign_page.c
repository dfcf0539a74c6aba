#include "plots/report/campaign_page.h"

#include <inttypes.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/share.h"
#include "common/files/textfile.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/plural.h"
#include "plots/report/parts/changes_part.h"
#include "plots/report/parts/folder_part.h"
#include "plots/report/parts/overall_part.h"
#include "plots/report/text.h"

/* Maximum size of the style and of the script in bytes. */
enum { MOST_BYTES = 1 << 24 };

/* --- style and script ------------------------------------------------------------------------- */

/* Sets the security policy: the page may run this one script, identified by its checksum, and use
 * styles, but load nothing from elsewhere. */
static void add_policy(struct page *p, const char *script)
{
  struct sha256_ctx sha;
  uint8_t digest[SHA256_DIGEST_SIZE];
  char hash[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1] = "";
  char policy[256];
  sha256_init(&sha);
  sha256_update(&sha, strlen(script), (const uint8_t *)script);
  sha256_digest(&sha, sizeof digest, digest);
  base64_encode_raw(hash, sizeof digest, digest);
  snprintf(policy, sizeof policy,
           "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'; "
           "base-uri 'none'; form-action 'none'",
           hash);
  page_attribute(p, page_root(p), "policy", "http-equiv", "Content-Security-Policy");
  page_attribute(p, page_root(p), "policy", "content", policy);
}

static enum status add_file(struct page *p, const char *folder, const char *name, const char *slot,
                            struct err *e)
{
  char path[SHARE_ROOM + 64];
  char *text;
  size_t length;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (textfile_load_plain(&text, &length, path, MOST_BYTES, e) != OK)
    return FAIL;
  page_text(p, page_root(p), slot, text);
  if (strcmp(slot, "script") == 0)
    add_policy(p, text);
  free(text);
  return OK;
}

/* --- overview --------------------------------------------------------------------------------- */

/* The platforms of a campaign, as "torus:4x4, mesh:4x4"; "-": none is named.  The caller frees it.
 */
static char *list_platforms(const struct folder *f, struct err *e)
{
  struct textout out;
  const char *gap = "";
  if (textout_begin(&out, e) != OK)
    return NULL;
  for (size_t i = 0; i < f->about.lines; i++)
    if (strcmp(f->about.line[i].kind, "platform") == 0) {
      fprintf(out.f, "%s%s", gap, f->about.line[i].value);
      gap = ", ";
    }
  fputs(*gap == '\0' ? "-" : "", out.f);
  OWNED char *text = textout_end(&out, OK, e);
  return text == NULL ? NULL : text_print(e, "%s", text);
}

/* The number of rows; of an unfinished campaign also the number of rows that it will have. */
static void add_row_count(struct page *p, xmlNode *row, const struct folder *f)
{
  const size_t rows = f->table[FOLDER_RESULTS].rows;
  const uint64_t all = provenance_rows(&f->about);
  if (rows < all)
    page_print(p, row, "rows", "%zu of %" PRIu64, rows, all);
  else
    page_print(p, row, "rows", "%zu", rows);
}

static void add_overview_row(struct page *p, xmlNode *part, const struct folder *f)
{
  const struct provenance_line *version = provenance_find(&f->about, "haichi");
  struct err unused;
  char link[24];
  OWNED char *on = list_platforms(f, &unused);
  OWNED char *with = text_print(&unused, "%s", version == NULL ? "-" : version->value);
  OWNED char *best = folder_best(f, &unused);
  xmlNode *row = on == NULL || with == NULL || best == NULL ? NULL : page_part(p, "overview-row");
  snprintf(link, sizeof link, "#%s", f->id);
  page_attribute(p, row, "link", "href", link);
  page_text(p, row, "link", f->shown);
  page_text(p, row, "platform", on == NULL ? "" : on);
  page_print(p, row, "traces", "%zu", folder_count(f, f->kind->subject[0]));
  page_print(p, row, "mappers", "%zu", folder_count(f, f->kind->method));
  add_row_count(p, row, f);
  page_print(p, row, "failed", "%zu", f->failed);
  page_text(p, row, "version", with == NULL ? "" : with);
  page_text(p, row, "best", best == NULL ? "" : best);
  page_add(p, part, "rows", row);
}

static void add_content(struct page *p, const char *id, const char *text)
{
  char link[64];
  xmlNode *item = page_part(p, "content");
  snprintf(link, sizeof link, "#%s", id);
  page_attribute(p, item, "link", "href", link);
  page_text(p, item, "link", text);
  page_add(p, page_root(p), "contents", item);
}

static void add_overview(struct page *p, const struct folder *f, size_t n)
{
  xmlNode *part = page_part(p, "overview");
  for (size_t i = 0; i < n; i++)
    add_overview_row(p, part, &f[i]);
  page_add(p, page_root(p), "main", part);
  add_content(p, "overview", "What was run");
}

/* --- changes ---------------------------------------------------------------------------------- */

/* The folder to compare folder @p i with; @p i if there is none. */
static size_t find_before(const struct folder *f, size_t n, size_t i)
{
  if (n == 2 && f[0].kind == f[1].kind)
    return 0;
  for (size_t k = i; k-- > 0;)
    if (folder_is_like(&f[k], &f[i]))
      return k;
  return i;
}

static enum status add_changes(struct page *p, const struct folder *f, size_t n, double tolerance,
                               struct err *e)
{
  for (size_t i = 0; i < n; i++) {
    const size_t before = find_before(f, n, i);
    char id[40];
    if (before == i)
      continue;
    if (changes_part_add(p, &f[before], &f[i], tolerance, e) != OK)
      return FAIL;
    OWNED char *text = text_print(e, "From %s to %s", f[before].shown, f[i].shown);
    snprintf(id, sizeof id, "%s-%s", f[before].id, f[i].id);
    add_content(p, id, text == NULL ? "" : text);
  }
  return OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Writes a sentence on the methods that the campaigns compare. */
static void add_lead(struct page *p, const struct folder *f, size_t n)
{
  bool traces = false, networks = false;
  for (size_t i = 0; i < n; i++) {
    traces |= f[i].kind != &kind_networks;
    networks |= f[i].kind == &kind_networks;
  }
  page_print(
      p, page_root(p), "lead",
      "%zu campaign%s of %s%s%s, simulated by haichi: where each %s%s%s goes, and what it costs.",
      n, PLURAL(n), traces ? kind_traces.methods : "", traces && networks ? " and " : "",
      networks ? kind_networks.methods : "", traces ? "rank of a program" : "",
      traces && networks ? " and each " : "", networks ? "task of a network" : "");
}

static enum status add_heading(struct page *p, const struct campaign_page *c,
                               const struct folder *f, struct err *e)
{
  OWNED char *title = c->title != NULL  ? text_print(e, "%s", c->title)
                      : c->folders == 1 ? text_print(e, "Campaign %s", c->folder[0])
                                        : text_print(e, "Campaigns %s to %s", c->folder[0],
                                                     c->folder[c->folders - 1]);
  if (title == NULL)
    return FAIL;
  page_text(p, page_root(p), "title", title);
  page_text(p, page_root(p), "heading", title);
  add_lead(p, f, c->folders);
  page_text(p, page_root(p), "made", "Made by haichi " HAICHI_VERSION " (haichi report).");
  page_attribute(p, page_root(p), "generator", "content", "haichi " HAICHI_VERSION);
  return OK;
}

static enum status fill(struct page *p, const struct campaign_page *c, const struct folder *f,
                        struct err *e)
{
  if (add_heading(p, c, f, e) != OK)
    return FAIL;
  if (c->no_pictures != NULL)
    page_leave_out_pictures(p, c->no_pictures);
  add_overview(p, f, c->folders);
  bool ranked;
  if (overall_part_add(p, f, c->folders, &ranked, e) != OK)
    return FAIL;
  if (ranked)
    add_content(p, "overall", "Ranking");
  if (add_changes(p, f, c->folders, c->tolerance, e) != OK)
    return FAIL;
  for (size_t i = 0; i < c->folders; i++) {
    if (folder_part_add(p, &f[i], c->baseline, c->most_traces, e) != OK)
      return FAIL;
    add_content(p, f[i].id, f[i].shown);
  }
  add_content(p, "methods", "Methods");
  return OK;
}

static enum status write_page(const struct campaign_page *c, const struct folder *f, FILE *out,
                              struct err *e)
{
  char folder[SHARE_ROOM], path[SHARE_ROOM + 64];
  struct page *p = NULL;
  if (share_scripts(folder, "report.html", e) != OK)
    return FAIL;
  snprintf(path, sizeof path, "%s/report.html", folder);
  enum status s = page_load(&p, path, e);
  if (s == OK)
    s = fill(p, c, f, e);
  if (s == OK && (s = add_file(p, folder, "report.css", "style", e)) == OK)
    s = add_file(p, folder, "report.js", "script", e);
  if (s == OK)
    s = page_save(p, out, e);
  page_free(p);
  return s;
}

enum status campaign_page_write(const struct campaign_page *c, FILE *out, struct err *e)
{
  OWNED struct folder *f = mem_array(c->folders, sizeof *f, e);
  enum status s = f == NULL ? FAIL : OK;
  for (size_t i = 0; s == OK && i < c->folders; i++)
    s = folder_load(&f[i], c->folder[i], i + 1, e);
  if (s == OK)
    s = write_page(c, f, out, e);
  for (size_t i = 0; f != NULL && i < c->folders; i++)
    folder_clear(&f[i]);
  return s;
}
