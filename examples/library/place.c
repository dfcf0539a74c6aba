/* Places the ranks of a trace on a platform and simulates the program:
 *   cc place.c $(pkg-config --cflags --libs haichi) -o place && ./place npb:cg.A.64 torus:8x8 auto
 */
#include <haichi/haichi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  struct haichi_map_options with = {.trace = NULL};
  struct haichi_platform *platform = NULL;
  struct haichi_traffic *traffic = NULL;
  struct haichi_mapping *mapping = NULL;
  struct haichi_metrics metrics;
  struct haichi_simulation result;
  struct haichi_error error = {"usage: place TRACE PLATFORM MAPPER"};
  const int failed =
      argc != 4 || haichi_trace_open(&with.trace, argv[1], NULL, &error) != HAICHI_OK ||
      haichi_platform_open(&platform, argv[2], &error) != HAICHI_OK ||
      haichi_traffic_of_trace(&traffic, with.trace, &error) != HAICHI_OK ||
      haichi_map(&mapping, argv[3], platform, traffic, &with, &error) != HAICHI_OK ||
      haichi_metrics(&metrics, platform, traffic, mapping, &error) != HAICHI_OK ||
      haichi_simulate(&result, platform, with.trace, mapping, NULL, &error) != HAICHI_OK;
  if (failed)
    fprintf(stderr, "place: %s\n", error.text);
  else
    printf("hop_bytes\t%llu\nsimulated_time_s\t%.17g\n", (unsigned long long)metrics.hop_bytes,
           result.time_s);
  haichi_mapping_free(mapping);
  haichi_traffic_free(traffic);
  haichi_platform_free(platform);
  haichi_trace_free(with.trace);
  return failed;
}
