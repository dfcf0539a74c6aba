/** @file calibration.h
 *  Measurements turned into what a simulation needs: the speed of a host, the latency and
 *  bandwidth of the route between two hosts, and the factors by message size of network model
 *  smpi; and into a platform of any topology with them.
 */
#ifndef PREDICT_CALIBRATE_CALIBRATION_H
#define PREDICT_CALIBRATE_CALIBRATION_H

#include <stddef.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "predict/calibrate/measurements.h"
#include "predict/calibrate/segments.h"

struct calibration_options {
  const struct measurements_test *kernel; /**< which of them gives the speed */
  double quantile;                        /**< of the samples of a size; 0.5: the median */
  size_t most;                            /**< segments, at most SEGMENTS_MOST */
  double speed;                           /**< of a host in flop/s; 0: measured */
  double latency_s; /**< nominal, of the route; 0: that of the smallest messages */
  double bandwidth; /**< nominal, in byte/s; 0: that of the largest messages */
};

/** The median, kernel arithmetic, at most 16 segments. */
struct calibration_options calibration_defaults(void);

struct calibration {
  double speed, speed_low, speed_high; /**< flop/s; the quantiles of 5 % and 95 % */
  size_t speed_samples;                /**< 0: it was given */
  double latency_s, bandwidth;         /**< nominal, of the route, to which the factors belong */
  struct measured *size;               /**< of the messages, by size; owned */
  size_t sizes;
  struct segment segment[SEGMENTS_MOST]; /**< of the sizes, x being bytes with the envelope */
  size_t segments;
  struct factors factors[PLATFORM_FACTORS]; /**< by enum platform_factor; a step a segment */
};

/** Fits what @p m has.  Sorts its samples.  On success @p out is the caller's: calibration_clear().
 */
enum status calibration_fit(struct calibration *out, struct measurements *m,
                            const struct calibration_options *o, struct err *e);

void calibration_clear(struct calibration *c);

/** One way, in s, of messages of size[i], as the segments have it. */
double calibration_at(const struct calibration *c, size_t i);

/** The platform of the spec @p topology whose hosts 0 and 1 are joined by a route as @p c has
 *  it: each of its links has an equal share of the latency, and all of the bandwidth.  @p
 *  params gives the loopback.  On success *out is the caller's: platform_free(). */
enum status calibration_platform(struct platform **out, const struct calibration *c,
                                 const char *topology, const struct platform_params *params,
                                 struct err *e);

#endif
