/* Pages made of parts of a template: inserted text stays text, and failures are remembered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libxml/HTMLparser.h>

#include "plots/report/page.h"
#include "tests/unit/scratch.h"

static const char TEMPLATE[] =
    "<html><head><title data-slot='title'/></head><body><ul data-slot='list'/><p data-slot='rest'/>"
    "<script data-slot='script'></script></body>"
    "<templates><li data-part='item' data-slot='item'><b data-slot='text'/><i data-slot='more'/>"
    "</li></templates></html>";

static struct page *open_page(const char *text)
{
  const struct scratch_file f = scratch_file(text, strlen(text));
  struct page *p;
  struct err e;
  if (page_load(&p, f.path, &e) != OK)
    fail_msg("%s", e.text);
  scratch_close(&f);
  return p;
}

/* The page as text, to be freed by the caller; NULL if it cannot be saved. */
static char *save(struct page *p, struct err *e)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  const enum status s = page_save(p, f, e);
  assert_int_equal(fclose(f), 0);
  page_free(p);
  if (s == OK)
    return text;
  free(text);
  return NULL;
}

static void parts_are_filled_repeatedly(void **state)
{
  (void)state;
  struct page *p = open_page(TEMPLATE);
  struct err e;
  for (int i = 0; i < 2; i++) {
    xmlNode *item = page_part(p, "item");
    page_print(p, item, "text", "%d", i);
    page_remove(p, item, "more");
    page_attribute(p, item, "item", "class", "a\"b'<c>&");
    page_add(p, page_root(p), "list", item);
  }
  page_text(p, page_root(p), "title", "<T> & \"q\"");
  page_text(p, page_root(p), "script", "if (a < b && c > d) x('</p>');");
  char *text = save(p, &e);
  assert_string_equal(
      text, "<!DOCTYPE html>\n<html><head><title>&lt;T&gt; &amp; \"q\"</title></head><body>"
            "<ul><li class=\"a&quot;b'&lt;c&gt;&amp;\"><b>0</b></li>"
            "<li class=\"a&quot;b'&lt;c&gt;&amp;\"><b>1</b></li></ul><p></p>"
            "<script>if (a < b && c > d) x('</p>');</script></body></html>\n");
  free(text);
}

/* An HTML parser reads back any name unchanged. */
static void names_are_text(void **state)
{
  (void)state;
  static const char *const NAMES[] = {"<script>alert(1)</script>",
                                      "</b></li></ul>",
                                      "<!-- ",
                                      "&lt;&amp;&#60;",
                                      "]]>",
                                      "\" onclick='x' <img src=x>",
                                      "$(touch x) `y` ${z}",
                                      "\xc3\xa9\xf0\x9f\x98\x80"};
  for (size_t i = 0; i < COUNT(NAMES); i++) {
    struct page *p = open_page(TEMPLATE);
    struct err e;
    xmlNode *item = page_part(p, "item");
    page_text(p, item, "text", NAMES[i]);
    page_attribute(p, item, "item", "title", NAMES[i]);
    page_add(p, page_root(p), "list", item);
    char *text = save(p, &e);
    xmlDoc *doc = htmlReadMemory(text, (int)strlen(text), NULL, "UTF-8", 0);
    const xmlNode *body = xmlDocGetRootElement(doc)->children->next, *list = body->children;
    xmlNode *read = list->children;
    xmlChar *content = xmlNodeGetContent(read->children),
            *title = xmlGetProp(read, BAD_CAST "title");
    assert_string_equal((const char *)content, NAMES[i]);
    assert_string_equal((const char *)title, NAMES[i]);
    assert_null(read->next);
    xmlFree(content);
    xmlFree(title);
    xmlFreeDoc(doc);
    free(text);
  }
}

static void pictures_on_one_page_have_distinct_ids(void **state)
{
  (void)state;
  static const char SVG[] =
      "<?xml version='1.0'?><svg width='4' height='3' viewBox='0 0 4 3' "
      "xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'>"
      "<title>Gnuplot</title>\n<g id='a' clip-path='url(#c)'><title>gnuplot_plot_1</title>"
      "<use xlink:href='#b' stroke='rgb( 51,  51,  51)'/><text>a #b</text></g></svg>";
  const struct scratch_file f = scratch_file(SVG, strlen(SVG));
  FILE *svg = fopen(f.path, "r");
  struct page *p = open_page(TEMPLATE);
  struct err e;
  page_add(p, page_root(p), "rest", page_svg(p, svg, "f1-", "A <title>", "What it shows"));
  char *text = save(p, &e);
  assert_non_null(strstr(
      text,
      "<p><svg xmlns=\"http://www.w3.org/2000/svg\" "
      "xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 4 3\" role=\"img\" "
      "aria-labelledby=\"f1-title f1-desc\"><title id=\"f1-title\">A &lt;title&gt;</title>"
      "<desc id=\"f1-desc\">What it shows</desc><g id=\"f1-a\" clip-path=\"url(#f1-c)\">"
      "<use xlink:href=\"#f1-b\" stroke=\"rgb(51,51,51)\"></use><text>a #b</text></g></svg>"));
  free(text);
  fclose(svg);
  scratch_close(&f);
}

static void failures_are_kept(void **state)
{
  (void)state;
  struct err e;
  struct page *p = open_page(TEMPLATE);
  xmlNode *none = page_part(p, "nosuch");
  assert_null(none);
  page_text(p, none, "text", "x");
  page_add(p, none, "text", page_part(p, "item"));
  page_remove(p, none, "text");
  assert_null(save(p, &e));
  assert_string_equal(e.text, "template of the report: no part nosuch");
  p = open_page(TEMPLATE);
  page_text(p, page_root(p), "nosuch", "x");
  assert_null(save(p, &e));
  assert_string_equal(e.text, "template of the report: no slot nosuch");
  p = open_page(TEMPLATE);
  FILE *svg = tmpfile();
  fputs("<svg", svg);
  page_add(p, page_root(p), "rest", page_svg(p, svg, "x", "t", "d"));
  fclose(svg);
  assert_null(save(p, &e));
  assert_string_equal(e.text, "template of the report: gnuplot has drawn no SVG");
}

static void bad_templates_are_refused(void **state)
{
  (void)state;
  static const char *const TEXTS[][2] = {
      {"<html>", ": no template of a page"},
      {"<html><i data-part='a'/><i data-part='a'/></html>", "two parts 'a'"},
  };
  for (size_t i = 0; i < COUNT(TEXTS); i++) {
    const struct scratch_file f = scratch_file(TEXTS[i][0], strlen(TEXTS[i][0]));
    struct page *p;
    struct err e;
    assert_int_equal(page_load(&p, f.path, &e), FAIL);
    assert_non_null(strstr(e.text, TEXTS[i][1]));
    scratch_close(&f);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_are_filled_repeatedly),
      cmocka_unit_test(names_are_text),
      cmocka_unit_test(pictures_on_one_page_have_distinct_ids),
      cmocka_unit_test(failures_are_kept),
      cmocka_unit_test(bad_templates_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
