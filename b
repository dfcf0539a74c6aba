Usage: haichi trace SUBCOMMAND [OPTION...] TRACE

Subcommands:
  info         print actions, messages, bytes and communicating pairs
  matrix       write the traffic matrix
  npb          write the trace of a NAS Parallel Benchmark
  convert      rewrite the trace for smpirun, Vampir or Dimemas

`haichi trace SUBCOMMAND --help' describes one.
