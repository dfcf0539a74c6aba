#include "sim/model.h"

static const struct factor_step SMPI_LATENCY[] = {
    {0, 2.01467},    {257, 1.95341},  {732, 1.9503},    {1426, 1.61075},  {3484, 1.88101},
    {5776, 2.18796}, {9376, 2.59299}, {15424, 3.48845}, {65472, 11.6436}, {0, 0}};
static const struct factor_step SMPI_BANDWIDTH[] = {
    {0, 0.812084},   {257, 0.338112}, {732, 0.341987},   {1426, 0.608902},  {3484, 0.77493},
    {5776, 1.08739}, {9376, 0.58729}, {15424, 0.697866}, {65472, 0.940694}, {0, 0}};
static const struct factor_step LV08_LATENCY[] = {{0, 13.01}, {0, 0}};
static const struct factor_step LV08_BANDWIDTH[] = {{0, 0.97}, {0, 0}};
static const struct factor_step ONE[] = {{0, 1}, {0, 0}};

static const struct sim_model
    SMPI =
        {"smpi",       "latency and bandwidth factors by message size, fitted to MPI on a cluster",
         "SMPI",       8775,
         SMPI_LATENCY, SMPI_BANDWIDTH,
         true,         SIM_BACK_SHARE,
         NULL,         NULL},
    LV08 = {"lv08",       "LegrandVelho: one latency and one bandwidth factor",
            "LV08",       20537,
            LV08_LATENCY, LV08_BANDWIDTH,
            false,        SIM_BACK_SHARE,
            NULL,         NULL},
    CM02 = {"cm02", "Casanova and Marchal: nominal latency and bandwidth",
            "CM02", 0,
            ONE,    ONE,
            false,  SIM_BACK_SHARE,
            NULL,   NULL};

#define LIST(ROW) ROW(SMPI) ROW(LV08) ROW(CM02)

const struct registry sim_models = REGISTRY("model", LIST);

static void take_factors(struct sim_model *made, const struct smpi_options *o)
{
  if (o->within[0].count > 0)
    made->latency_within = o->within[0].step;
  if (o->within[1].count > 0)
    made->bandwidth_within = o->within[1].step;
}

struct sim_model sim_model_on(const struct sim_model *model, const struct platform *on)
{
  struct sim_model made = *model;
  const struct smpi_options *o = platform_smpi(on);
  const struct factors *latency = platform_factors(on, PLATFORM_LATENCY_FACTOR);
  const struct factors *bandwidth = platform_factors(on, PLATFORM_BANDWIDTH_FACTOR);
  if (model->of_platform && latency->count > 0)
    made.latency = latency->step;
  if (model->of_platform && bandwidth->count > 0)
    made.bandwidth = bandwidth->step;
  if (model->of_platform)
    take_factors(&made, o);
  if (o->has_weight)
    made.weight_bytes = o->weight_bytes;
  if (o->one_way)
    made.back_share = 0;
  return made;
}
