/* <config>: SimGrid options in a platform file. */
#include <string.h>

#include "platforms/platform_internal.h"
#include "platforms/xml/elements.h"

static enum status fail_at(const struct platform *p, const xmlNode *node, const char *why,
                           struct err *e)
{
  return platform_xml_fail(e, p->name, node, "<config>: %s", why);
}

/* SimGrid's parser accepts <config> only before all zones and traces. */
static bool is_first(const xmlNode *config)
{
  if (config->parent == NULL || !element_is(config->parent, "platform"))
    return false;
  for (const xmlNode *c = config->prev; c != NULL; c = c->prev)
    if (!element_is_blank(c) && !element_is(c, "config"))
      return false;
  return true;
}

/* Refuses options that would change results silently or make SimGrid write files. */
static enum status refuse_option(const struct platform *p, const xmlNode *prop, const char *id,
                                 struct err *e)
{
  char names[512];
  smpi_option_names(names, sizeof names);
  return platform_xml_fail(
      e, p->name, prop,
      "<config>: '%.80s' is not an option that a platform file may set: %s, %s, %s", id,
      platform_factor_option(PLATFORM_LATENCY_FACTOR),
      platform_factor_option(PLATFORM_BANDWIDTH_FACTOR), names);
}

static enum status read_factors(struct platform *p, enum platform_factor which, const xmlNode *prop,
                                struct err *e)
{
  struct factors x;
  const char *id = platform_factor_option(which);
  if (p->factors[which].count > 0)
    return fail_at(p, prop, "the option is set twice", e);
  if (factors_parse(&x, platform_xml_attribute(prop, "value"), e) != OK)
    return platform_xml_fail(e, p->name, prop, "%s: %s", id, e->text);
  for (uint32_t i = 0; which == PLATFORM_BANDWIDTH_FACTOR && i < x.count; i++)
    if (x.step[i].factor <= FACTORS_ZERO)
      return platform_xml_fail(e, p->name, prop, "%s: a factor of 0 above %.0f bytes", id,
                               x.step[i].above);
  p->factors[which] = x;
  return OK;
}

static enum status read_option(struct platform *p, const xmlNode *prop, struct err *e)
{
  static const char *const names[] = {"id", "value", NULL};
  bool known;
  struct err why;
  if (platform_xml_check(prop, names, 2, p->name, e) != OK)
    return FAIL;
  const char *id = platform_xml_attribute(prop, "id");
  for (int i = 0; i < PLATFORM_FACTORS; i++)
    if (strcmp(id, platform_factor_option((enum platform_factor)i)) == 0)
      return read_factors(p, (enum platform_factor)i, prop, e);
  if (smpi_option_read(&p->smpi, id, platform_xml_attribute(prop, "value"), &known, &why) != OK)
    return platform_xml_fail(e, p->name, prop, "%s: %s", id, why.text);
  return known ? OK : refuse_option(p, prop, id, e);
}

const struct smpi_options *platform_smpi(const struct platform *p)
{
  return &p->smpi;
}

static bool is_last(const xmlNode *config)
{
  for (const xmlNode *c = config->next; c != NULL; c = c->next)
    if (element_is(c, "config"))
      return false;
  return true;
}

enum status platform_config_read(struct platform *p, const xmlNode *config, struct err *e)
{
  static const char *const known[] = {"id", NULL};
  if (platform_xml_check(config, known, 0, p->name, e) != OK)
    return FAIL;
  if (!is_first(config))
    return fail_at(p, config, "SimGrid reads it at the beginning of <platform> only", e);
  for (const xmlNode *c = config->children; c != NULL; c = c->next) {
    if (element_is_blank(c))
      continue;
    if (!element_is(c, "prop"))
      return fail_at(p, c, "it holds <prop> only", e);
    if (read_option(p, c, e) != OK)
      return FAIL;
  }
  struct err why;
  return !is_last(config) || smpi_options_check(&p->smpi, &why) == OK
             ? OK
             : fail_at(p, config, why.text, e);
}
