# The folders of sources, lowest first, and the folders whose headers each may include besides its own.
# The Makefile links the unit tests of a folder with these folders and their own, tests/lint.sh checks the
# includes, and docs/developers/architecture.md refers to this file.
FOLDERS = common platforms traces wan tasks mappers sim setup library campaign predict plots cli

may_common    =
may_platforms = common
may_traces    = common
may_wan       = common platforms traces
may_tasks     = common platforms
may_mappers   = common platforms traces wan tasks
may_sim       = common platforms traces wan tasks
may_setup     = common platforms traces wan tasks mappers sim
may_library   = common platforms traces wan tasks mappers sim setup
may_campaign  = common platforms traces wan tasks mappers sim setup
may_predict   = common platforms traces wan tasks mappers sim setup campaign
may_plots     = common platforms traces tasks setup campaign predict
may_cli       = common platforms traces wan tasks mappers sim setup campaign predict plots

# The only folder that may include the headers of a library.
only_simgrid  = sim
only_scotch   = mappers
only_qpdf     = plots
only_clang-c  = predict
only_hwloc    = platforms
only_otf2     = traces
only_perfmon  = setup
