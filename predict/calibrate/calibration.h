/** @file calibration.h
 *  Turns measurements into parameters of a simulation: the speed of a host, the latency and
 *  bandwidth of the route between two hosts, and the factors by message size of network model smpi.
 *  Makes a platform of any topology with these parameters.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "predict/calibrate/measurements.h"
#include "predict/calibrate/segments.h"

struct calibration_options {
  const struct measurements_test *kernel; /**< kernel that gives the speed */
  double quantile;                        /**< quantile of the samples of a size; 0.5: the median */
  double pool;      /**< with 100 sizes or more, joins sizes that differ by less than this share; 0:
                       never; < 0: by 10 %, and only if times scatter far more than their samples
                       explain */
  size_t most;      /**< upper limit of segments, at most SEGMENTS_MOST */
  double speed;     /**< speed of a host in flop/s; 0: measured */
  double latency_s; /**< nominal latency of the route in s; 0: latency of the smallest messages */
  double bandwidth; /**< nominal bandwidth in byte/s; 0: bandwidth of the largest messages */
};

/** Defaults: the median, kernel arithmetic, pool -1, at most 16 segments. */
struct calibration_options calibration_defaults(void);

struct calibration {
  double speed, speed_low, speed_high; /**< flop/s; its quantiles of 5 % and 95 % */
  size_t speed_samples;                /**< 0: the speed was given */
  double latency_s, bandwidth;         /**< nominal values of the route, to which the factors
                                            apply */
  struct measured *size;               /**< measured messages by size; owned */
  size_t sizes;
  double scatter; /**< median relative distance of the time of a size from the times of its
                     neighbours; 0: too few sizes */
  bool pooled;    /**< `size` has pooled sizes */
  struct segment segment[SEGMENTS_MOST]; /**< segments of the sizes; x is bytes with the envelope */
  size_t segments;
  struct factors factors[PLATFORM_FACTORS]; /**< by enum platform_factor; one step per segment */
};

/** Fits the parameters to @p m, whose samples it sorts.  The caller frees @p out with
 *  calibration_clear(). */
enum status calibration_fit(struct calibration *out, struct measurements *m,
                            const struct calibration_options *o, struct err *e);

void calibration_clear(struct calibration *c);

/** The highest rate of a message on the route in byte/s, without factors: the bandwidth, or less if
 *  the latency is large, since SimGrid limits the bytes that TCP has in flight. */
double calibration_rate(const struct calibration *c);

/** Index of the segment of size @p i. */
size_t calibration_segment(const struct calibration *c, size_t i);

/** Time in s of a message of size[i], one way, according to the segments. */
double calibration_at(const struct calibration *c, size_t i);

/** Makes the platform of the spec @p topology in which the route between hosts 0 and 1 has the
 *  latency and the bandwidth of @p c: the links of the route share the latency equally, and each
 *  link has the full bandwidth.  @p params gives the loopback.  The caller frees *out with
 *  platform_free(). */
enum status calibration_platform(struct platform **out, const struct calibration *c,
                                 const char *topology, const struct platform_params *params,
                                 struct err *e);
