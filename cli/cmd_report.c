#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/files/outfile.h"
#include "plots/gnuplot.h"
#include "plots/report/campaign_page.h"

struct report_args {
  struct campaign_page page;
  struct option_words folders;
  const char *output;
  bool no_plots;
};

/* Replaces the path of a results.tsv by the path of its folder. */
static const char *folder_of(char *word)
{
  static const char TABLE[] = "results.tsv";
  char *base = strrchr(word, '/');
  struct stat st;
  if (strcmp(base == NULL ? word : base + 1, TABLE) != 0 || stat(word, &st) != 0 ||
      !S_ISREG(st.st_mode))
    return word;
  if (base == NULL)
    return ".";
  *(base == word ? base + 1 : base) = '\0';
  return word;
}

#define AT(FIELD) offsetof(struct report_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {.help = "the folder of a campaign", .kind = OPTION_OPERAND, .at = AT(folders)},
    {"output", 'o', "FILE", "Write the page to FILE, as report.html; - is standard output",
     .at = AT(output), .required = true, .writes = true},
    {"title", 0, "TEXT", "Title of the page", .at = AT(page.title)},
    {"baseline", 'b', "MAPPER",
     "Mapper or scheduler to compare with (xyz or heft; the first one if a campaign lacks it)",
     .at = AT(page.baseline)},
    {"traces", 0, "N", "Draw traffic and link loads for the first N traces of each campaign (8)",
     .kind = OPTION_U32, .at = AT(page.most_traces), .max = 1000},
    {"no-plots", 0, NULL, "Only the tables", .kind = OPTION_FLAG, .at = AT(no_plots)},
    {"tolerance", 0, "X",
     "Ignore relative changes between campaigns of at most X, as 1% or 0.01 (1%)",
     .kind = OPTION_SHARE, .at = AT(page.tolerance), .most = 1e4},
    {.name = NULL},
};

/* Leaves out the pictures with --no-plots, and without gnuplot; then notes why on stderr. */
static void choose_pictures(struct report_args *a, struct err *why)
{
  a->page.no_pictures = a->no_plots ? "The pictures are left out (--no-plots)." : NULL;
  if (a->no_plots || gnuplot_check(why) == OK)
    return;
  fprintf(stderr, "haichi: note: the page has no pictures: %s\n", why->text);
  a->page.no_pictures = "The pictures are left out: there was no gnuplot to draw them.";
}

static enum status run(const struct report_args *a, struct err *e)
{
  struct outfile o;
  if (outfile_open(&o, a->output, e) != OK)
    return FAIL;
  return outfile_end(&o, campaign_page_write(&a->page, o.f, e), e);
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      "DIR...",
      "Makes one HTML page of finished campaigns (haichi compare): their inputs, the ranking of "
      "the mappers, pictures and tables.  For two campaigns, and for more on the same platform, it "
      "shows which times got better or worse.  The page needs no other file and no network.",
      OPTIONS, NULL, NULL};
  struct report_args a = {.page = {.most_traces = 8, .tolerance = 0.01}};
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  for (size_t i = 0; i < a.folders.count; i++)
    a.folders.word[i] = folder_of((char *)a.folders.word[i]);
  a.page.folder = a.folders.word;
  a.page.folders = a.folders.count;
  choose_pictures(&a, &e);
  const enum status s = run(&a, &e);
  free(a.folders.word);
  return s == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_report = {"report", "make a page of campaigns, to look at and share",
                                       run_command};
