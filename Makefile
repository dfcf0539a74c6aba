# haichi: builds, tests and installs.  `make help` lists the targets.
# Settings, all of which can be given on the command line:
CC      = gcc
SAN     =#        1: address and undefined-behaviour sanitizers
FUZZER  =#        1: coverage for libFuzzer (the fuzz target sets it)
WERROR  =#        1: warnings are errors (the tests set it)
PREFIX  = /usr/local
DESTDIR =
ifneq ($(words x$(DESTDIR)$(PREFIX)x),1)
$(error PREFIX and DESTDIR must not contain blanks)
endif
CFLAGS  = -O3 -g
# Across files, for $(B)/haichi alone: 6 % less time, and the tests link the same objects as ever.
LTO     = $(if $(SAN)$(FUZZER)$(findstring clang,$(CC)),,-flto=auto)

# The header of Scotch, for the mapper of that name; empty: built without it.
SCOTCH_H = $(firstword $(wildcard /usr/include/scotch/scotch.h /usr/include/scotch.h /usr/local/include/scotch.h))

# The headers of libclang, and the name of the library beside them, which is loaded on demand.
CLANG_H = $(patsubst %/clang-c,%,$(firstword $(wildcard /usr/lib/llvm-*/include/clang-c /usr/include/clang-c)))
CLANG_LIB = $(or $(call soname,$(CLANG_H)/../lib/libclang.so),libclang.so)
# libqpdf is loaded on demand, too.
QPDF_LIB  = $(or $(call soname,$(shell $(CC) -print-file-name=libqpdf.so)),libqpdf.so)
# libhwloc reads the insides of nodes; loaded on demand, too.
HWLOC_LIB = $(or $(call soname,$(shell $(CC) -print-file-name=libhwloc.so)),libhwloc.so)
# libpfm names the events of processors; loaded on demand, too.
PFM_LIB   = $(or $(call soname,$(shell $(CC) -print-file-name=libpfm.so)),libpfm.so)

# The header of libopen-trace-format2, which reads and writes OTF2; empty: built without it.
OTF2_H    = $(firstword $(wildcard /usr/include/otf2/otf2.h /usr/local/include/otf2/otf2.h))
OTF2_LIB  = $(or $(call soname,$(shell $(CC) -print-file-name=libopen-trace-format2.so)),libopen-trace-format2.so)
soname    = $(shell objdump -p $(1) 2>/dev/null | awk '$$1 == "SONAME" { print $$2 }')

# The compilers of Open MPI, MPICH and SMPI, for the preloaded libraries of each; empty: built without them.
mpicc = $(or $(shell command -v mpicc.$(1)),$(shell mpicc -show 2>/dev/null | grep -qw -- '-l$(2)' && command -v mpicc))
MPICC_openmpi := $(call mpicc,openmpi,mpi)
MPICC_mpich   := $(call mpicc,mpich,mpich)
MPICC_smpi := $(shell command -v smpicc)
RECORD_MPI = $(foreach m,openmpi mpich,$(if $(MPICC_$(m)),$(m)))
RECORDERS  = $(if $(RECORD_MPI),$(B)/record/libhaichi-record.so $(RECORD_MPI:%=$(B)/record/libhaichi-record-%.so))
REORDER_MPI = $(RECORD_MPI) $(if $(MPICC_smpi),smpi)
COMPANIONS  = $(RECORD_MPI:%=$(B)/libhaichi-%.so)
REORDERERS  = $(if $(RECORD_MPI)$(MPICC_smpi),$(B)/reorder/libhaichi-reorder.so $(REORDER_MPI:%=$(B)/reorder/libhaichi-reorder-%.so))

VERSION = 0.2.0
# Version of the binary interface of libhaichi: rises when a program must be compiled again.
SONAME  = 0
B       = build/$(notdir $(CC))$(if $(SAN),-san)$(if $(FUZZER),-fuzz)

WARN     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wwrite-strings \
           -Wpointer-arith -Wundef $(if $(WERROR),-Werror)
SANFLAGS = $(if $(SAN),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined \
           -fno-omit-frame-pointer -DHAICHI_SANITIZED)
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE= $(CPPFLAGS) $(CFLAGS) $(if $(LTO),$(LTO) -ffat-lto-objects) $(WARN) $(SANFLAGS) $(if $(FUZZER),-fsanitize=fuzzer-no-link) \
             -MMD -MP -fPIC -fvisibility=hidden -I. -Ilibrary -I/usr/include/libxml2 -DHAICHI_VERSION='"$(VERSION)"'

# FOLDERS, and may_FOLDER: the folders that each may include.
include layers.mk

# The recorder and the reordering, for LD_PRELOAD: one library per MPI, and one that chooses.  No part of the program,
# which sanitizers and link-time optimisation do not change.
PRELOAD_FLAGS = -std=gnu11 -O2 -g $(CPPFLAGS) $(WARN) -MMD -MP -fPIC -fvisibility=hidden -I. -Ilibrary
RECORD_SRC = $(wildcard record/*.c) interpose/start.c
# Files of reorder/ without MPI, and with it.
REORDER_PLAIN = $(addprefix reorder/,grid.c haichi.c job.c map.c report.c settings.c)
REORDER_CALLS = $(addprefix reorder/,agree.c create.c direct.c preload.c) interpose/start.c

# Which libraries each folder adds.
common_LIBS    = -larchive
platforms_LIBS = -lxml2
traces_LIBS    = -ljansson
tasks_LIBS     = -ljansson
mappers_LIBS   = -fopenmp
wan_LIBS       = -fopenmp
setup_LIBS     = -lnettle

# All folders that a folder uses, itself and the indirect ones among them, highest first, as the linker needs them.
used     = $(sort $(1) $(foreach f,$(may_$(1)),$(call used,$(f))))
reversed = $(if $(1),$(call reversed,$(wordlist 2,$(words $(1)),$(1))) $(firstword $(1)))
linked   = $(filter $(call used,$(1)),$(call reversed,$(FOLDERS)))

lib  = $(B)/lib$(1).a
libs = $(foreach f,$(call linked,$(1)),$(call lib,$(f)))
ext  = $(sort $(foreach f,$(call linked,$(1)),$($(f)_LIBS))) -lm
# The runtime of instrumented programs is copied to them, not linked.
left_out = cli/main.c $(wildcard predict/runtime/*.c) $(if $(SCOTCH_H),,$(wildcard mappers/peers/scotch_*.c)) \
           $(if $(OTF2_H),,$(filter-out traces/otf2/otf2.c traces/otf2/otf2_translate.c traces/otf2/otf2_write.c traces/otf2/otf2_run.c,$(wildcard traces/otf2/*.c)))
objs = $(patsubst %.c,$(B)/%.o,$(filter-out $(left_out),$(sort $(shell find $(1) -name '*.c'))))

UNIT_SRC = $(sort $(shell find tests/unit -name 'test_*.c'))
UNIT     = $(patsubst tests/%.c,$(B)/tests/%,$(UNIT_SRC)) $(B)/tests/peers/routes
PEERS    = $(B)/tests/peers/genprog $(B)/tests/peers/lowered
FUZZ     = $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_SECONDS = 600

.PHONY: always here all demo test reference bytes reproduce peers equality generated pencils matrices fuzz clean install uninstall deps help format lint hpl reality reality-here
.PHONY: check check-debian check-slurm check-report check-is check-reorder
.PHONY: bench bench-slurm bench-mappers bench-faults bench-simulated bench-allocations bench-mopt bench-qap bench-hcube bench-record bench-nodes bench-explain bench-reorder
.DELETE_ON_ERROR:
.SECONDARY:

here: all
	@echo './haichi is built; ./haichi help lists its commands, make demo shows it at work'

# The program, by a name that is easy to type.
all: $(B)/haichi $(B)/libhaichi.so $(RECORDERS) $(REORDERERS) $(COMPANIONS)
	@$(if $(SAN)$(FUZZER),,ln -sfn $(B)/haichi haichi)

help:
	@echo 'make            build ./haichi (a link to $(B)/haichi)'
	@echo 'make demo       install what is missing, build, compare mappers on a real trace'
	@echo 'make deps       install what is missing (scripts/install-deps.sh)'
	@echo 'make check      install what is missing, build, run all tests (CC=clang, SAN=1)'
	@echo 'make test       run all tests without make deps; make lint  clang-format, sizes, layers and English'
	@echo 'make check-slurm install Slurm, set up two nodes on loopback, test compare --on there (root)'
	@echo 'make check-debian SUITE=trixie  make demo and make check on a fresh Debian in a chroot (bookworm, trixie; root)'
	@echo 'make check-report look at pages of haichi report in a browser (KEEP=DIR: keep pages and screenshots)'
	@echo 'make hpl        compare messages and kernels of generator hpl with Debian'\''s hpcc (GRIDS=PxQ:SWAP...)'
	@echo 'make check-is   record IS=PROGRAM, IS of the NPB, class W, and compare its calls with npb:is.W.4 (MPI=openmpi or mpich)'
	@echo 'make check-reorder 200 random topologies with exchanged ranks under Open MPI and MPICH, on 1 to 48 ranks; other programs'
	@echo 'make peers      compare simulated times with smpirun and SimGrid (NPB=DIR: more traces)'
	@echo 'make equality   compare engine flow with SimGrid, rank by rank, and sum up (NPB=DIR: more traces)'
	@echo 'make generated  compare generated NPB traces with real ones (NPB=DIR)'
	@echo 'make pencils    compare FT on communicators with a run of smpirun'
	@echo 'make matrices   read matrices that Scotch, METIS, SciPy, pandas and NetworkX have written, as far as they are installed'
	@echo 'make bench      compare CPU time and memory with smpirun -replay; then the mappers with results/reference, bench-mopt,'
	@echo '                bench-mappers'
	@echo 'make bench-mappers mapper auto beside Scotch: hop-bytes, fullest link, CPU (SET=short, apart, long or all; RUNS=10)'
	@echo 'make bench-faults  mapper auto beside Scotch on stencils with edges that are missing or lead elsewhere (SET=short or apart; RUNS=3)'
	@echo 'make bench-simulated communication time of the NPB: auto beside xyz, greedy and Scotch (CLASS=A or C; MORE=tune:runs=40)'
	@echo 'make bench-allocations auto on random allocations of a machine, beside Slurm and Scotch (TOPOLOGY=FILE SINFO=FILE; CASES=1000)'
	@echo 'make bench-nodes auto on nodes of 2 packages, 4 NUMA nodes and 32 cores: on 16 beside Scotch, on one beside Open MPI'
	@echo 'make bench-reorder simulated halo exchanges with exchanged ranks, beside the original order, Scotch and Open MPI'\''s'
	@echo '                treematch, and its CPU time and memory (SIZES="64 256 512"; TOPOLOGY=FILE)'
	@echo 'make bench-explain causes, derivatives and remedies of haichi explain on many cases, and its cost (PARTS=...; CASES=N; NPB=DIR)'
	@echo 'make bench-mopt what the mappers by merging take (MOPT_NODES=LIST: sizes of mopt; BIG=1: more)'
	@echo 'make bench-qap  mapper qap against the best values known (QAPLIB=DIR; TIME=1 SEEDS=10 METHODS=...)'
	@echo 'make bench-hcube mapper hcube against the optimum (LABELS=20: labellings of each graph)'
	@echo 'make bench-record what haichi record costs: CPU time, disk, memory (MPI=openmpi or mpich; PAIRS=15)'
	@echo 'make bench-slurm what a campaign takes longer on Slurm than here (root; RUNS=600 TRACE=... CHUNK=150 REPEAT=3)'
	@echo 'make reference  new figures of the mappers for results/reference'
	@echo 'make bytes      compare every byte of 60 commands with BEFORE=PROGRAM, an earlier haichi'
	@echo 'make reproduce  the tables and figures of papers, into results/'
	@echo 'make reality DATA=DIR  predictions beside measurements of real machines, into docs/reality.md'
	@echo 'make reality-here  measure this machine, predict programs of examples/ and run them (RANKS=... IS=PROGRAM)'
	@echo 'make fuzz       run the libFuzzer targets, FUZZ_SECONDS=$(FUZZ_SECONDS) each'
	@echo 'make install    into PREFIX=$(PREFIX);  make uninstall    remove that again'
	@echo 'make format     apply clang-format-14;  make clean    remove build/'

$(B)/haichi: $(B)/cli/main.o $(call libs,cli)
	@$(CC) $(LTO) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(call ext,cli)

# The library for programs: its own archive whole, and what it needs of the others.
$(B)/libhaichi.so: $(call libs,library) library/libhaichi.map
	@$(CC) $(LTO) $(SANFLAGS) $(LDFLAGS) -shared -Wl,-soname,libhaichi.so.$(SONAME) -Wl,--version-script=library/libhaichi.map -o $@ \
	  -Wl,--whole-archive $(call lib,library) -Wl,--no-whole-archive $(filter-out %.map $(call lib,library),$^) $(call ext,library)

# The library of a folder that chooses among the libraries for each MPI, and the calls that these export.
define chooser_rule
$(B)/preload/$(1).exports: $(2:%=$(B)/$(1)/libhaichi-$(1)-%.so)
	@nm -D --defined-only $$^ | awk 'NF == 3 { print $$$$3 }' | LC_ALL=C sort -u >$$@
$(B)/preload/$(1).calls: $(B)/preload/$(1).exports interpose/choose.awk interpose/prototypes.awk
	@($(foreach m,$(2),echo '#include <mpi.h>' | $(MPICC_$(m)) -E -x c -;)) | \
	  awk -v exports=$$< -f interpose/prototypes.awk -f interpose/choose.awk >$$@
$(B)/$(1)/libhaichi-$(1).so: interpose/choose.c interpose/interpose.h $(B)/preload/$(1).calls
	@$(CC) $(PRELOAD_FLAGS) $(LDFLAGS) -DOWN='"libhaichi-$(1)"' -DCALLS='"$(B)/preload/$(1).calls"' -shared -o $$@ $$<
endef
$(eval $(call chooser_rule,record,$(RECORD_MPI)))
$(eval $(call chooser_rule,reorder,$(REORDER_MPI)))

# Objects and generated calls of each MPI, and of no MPI.
define preload_rule
$(B)/preload/$(1)/%.o: %.c Makefile
	@mkdir -p $$(@D)
	@echo "  CC  $$< ($(1))"
	@$(MPICC_$(1)) $(PRELOAD_FLAGS) $(if $(filter smpi,$(1)),-DREORDER_SMPI) -c -o $$@ $$<
$(B)/preload/$(1)/%.c: %.awk interpose/prototypes.awk
	@mkdir -p $$(@D)
	@echo '#include <mpi.h>' | $(MPICC_$(1)) -E -x c - | awk -f interpose/prototypes.awk -f $$< >$$@
$(B)/preload/$(1)/%.o: $(B)/preload/$(1)/%.c
	@$(MPICC_$(1)) $(filter-out -Werror,$(PRELOAD_FLAGS)) -Wno-deprecated-declarations -c -o $$@ $$<
$(B)/record/libhaichi-record-$(1).so: $(RECORD_SRC:%.c=$(B)/preload/$(1)/%.o) $(B)/preload/$(1)/record/others.o
	@mkdir -p $$(@D)
	@$(CC) $(LDFLAGS) -shared -o $$@ $$^
$(B)/reorder/libhaichi-reorder-$(1).so: $(REORDER_CALLS:%.c=$(B)/preload/$(1)/%.o) $(REORDER_PLAIN:%.c=$(B)/preload/none/%.o) \
  $(if $(filter-out smpi,$(1)),$(B)/preload/$(1)/reorder/callbacks.o $(B)/preload/$(1)/reorder/world.o $(B)/preload/$(1)/reorder/calls.o)
	@mkdir -p $$(@D)
	@$(CC) $(LDFLAGS) -shared -o $$@ $$^ -pthread
$(B)/libhaichi-$(1).so: $(addprefix $(B)/preload/$(1)/reorder/,agree.o companion.o create.o) $(REORDER_PLAIN:%.c=$(B)/preload/none/%.o)
	@$(MPICC_$(1)) $(LDFLAGS) -shared -Wl,-soname,$$(@F).$(SONAME) -o $$@ $$^ -pthread
endef
$(foreach m,openmpi mpich smpi,$(eval $(call preload_rule,$(m))))
$(B)/preload/none/%.o: %.c Makefile
	@mkdir -p $(@D)
	@$(CC) $(PRELOAD_FLAGS) -c -o $@ $<

define folder_rule
$(call lib,$(1)): $(call objs,$(1))
	@rm -f $$@
	@ar rcs $$@ $$^
endef
$(foreach f,$(FOLDERS),$(eval $(call folder_rule,$(f))))

$(B)/mappers/%.o $(B)/wan/%.o: ALL_CFLAGS += -fopenmp
$(B)/predict/%.o: ALL_CFLAGS += -isystem $(CLANG_H)
$(B)/predict/instrument/source/clang_api.o: ALL_CFLAGS += -DHAICHI_LIBCLANG='"$(CLANG_LIB)"'
$(B)/plots/pdf.o: ALL_CFLAGS += -DHAICHI_LIBQPDF='"$(QPDF_LIB)"'
$(B)/platforms/inside/reader.o: ALL_CFLAGS += -DHAICHI_LIBHWLOC='"$(HWLOC_LIB)"'
$(B)/setup/counter.o: ALL_CFLAGS += -DHAICHI_LIBPFM='"$(PFM_LIB)"'
$(B)/traces/otf2/%.o: ALL_CFLAGS += $(if $(OTF2_H),-DHAICHI_OTF2 -isystem $(patsubst %/otf2/otf2.h,%,$(OTF2_H)) -DHAICHI_LIBOTF2='"$(OTF2_LIB)"')
# Scotch may be installed, or removed, after a build.
$(B)/mappers/peers/%.o: ALL_CFLAGS += $(if $(SCOTCH_H),-DHAICHI_SCOTCH -isystem $(dir $(SCOTCH_H)))
$(B)/mappers/peers/scotch.o: $(B)/with-scotch
$(B)/with-scotch: always
	@mkdir -p $(@D)
	@echo '$(SCOTCH_H)' | cmp -s - $@ || echo '$(SCOTCH_H)' >$@
$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo "  CC  $<"
	@$(CC) $(ALL_CFLAGS) -c -o $@ $<

# tests/unit/FOLDER/.../test_X.c links what FOLDER may use.
.SECONDEXPANSION:
unit_folder = $(word 3,$(subst /, ,$(patsubst $(B)/%,%,$(1))))
$(B)/tests/unit/%: $(B)/tests/unit/%.o $$(call libs,$$(call unit_folder,$$@))
	@$(CC) $(if $(LTO),-fno-lto) $(SANFLAGS) -o $@ $^ -lcmocka $(call ext,$(call unit_folder,$@))

deps:
	@scripts/install-deps.sh

demo: deps
	@$(MAKE) -s --no-print-directory $(parallel) all
	@scripts/demo.sh $(B)/haichi

# As many compilers at once as there are cores, unless the caller of make says how many.
parallel = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))

check: deps
	@$(MAKE) -s --no-print-directory $(parallel) WERROR=1 all $(UNIT) $(PEERS) $(FUZZ:%=$(B)/tests/fuzz/%.o)
	@$(MAKE) -s --no-print-directory WERROR=1 lint test

check-debian:
	@scripts/install-deps.sh debian
	@tests/debian.sh $(SUITE)

check-slurm:
	@scripts/install-deps.sh build slurm
	@$(MAKE) -s --no-print-directory all
	@tests/slurm/run.sh $(B)/haichi

bench-slurm:
	@scripts/install-deps.sh build slurm
	@$(MAKE) -s --no-print-directory all
	@tests/slurm/bench.sh $(B)/haichi

check-reorder: deps
	@$(MAKE) -s --no-print-directory WERROR=1 all
	@tests/reorder.sh $(B)

check-report:
	@scripts/install-deps.sh build browser
	@$(MAKE) -s --no-print-directory WERROR=1 all
	@tests/browser/report.sh $(B)

test: all $(UNIT) $(PEERS)
	@tests/run.sh $(B) $(UNIT)

lint:
	@tests/lint.sh

format:
	clang-format-14 -i $$(git ls-files -c -o --exclude-standard '*.c' '*.h')

peers bench generated pencils matrices: deps
	@$(MAKE) -s --no-print-directory all $(PEERS)
	@tests/peers/$@.sh $(B)
	@[ $@ != peers ] || tests/peers/equality.sh $(B)
	@[ $@ != bench ] || $(B)/haichi regress -b results/reference/large.tsv --tolerance 0.01%
	@[ $@ != bench ] || for k in 1 4; do \
	  $(B)/haichi regress -b results/reference/time-$$k.tsv --compute-scale 0 --ranks-per-host $$k --tolerance 0.5% || exit; done
	@[ $@ != bench ] || RUNS=3 scripts/reproduce/sfmopt_times.sh $(B)/haichi results/sfmopt_times
	@[ $@ != bench ] || tests/peers/mappers.sh $(B)

hpl:
	@scripts/install-deps.sh build hpl
	@$(MAKE) -s --no-print-directory all
	@tests/peers/hpl.sh $(B)

# Takes hours with large traces; begun again, it goes on where it was.
equality: deps
	@$(MAKE) -s --no-print-directory all $(PEERS)
	@WHOLE=1 KEEP=results/equality tests/peers/equality.sh $(B)

$(PEERS): %: %.o $(call libs,traces)
	@$(CC) $(if $(LTO),-fno-lto) $(SANFLAGS) -o $@ $^ $(call ext,traces)

$(B)/tests/peers/routes: $(B)/tests/peers/routes.o $(call libs,sim)
	@$(CC) $(if $(LTO),-fno-lto) $(SANFLAGS) -o $@ $^ $(call ext,sim)

$(B)/tests/peers/reorder: $(B)/tests/peers/reorder.o $(call libs,library)
	@$(CC) $(if $(LTO),-fno-lto) $(SANFLAGS) -o $@ $^ $(call ext,library)

bytes: all
	@[ -x '$(BEFORE)' ] || { echo 'make bytes: BEFORE=PROGRAM names an earlier haichi' >&2; exit 1; }
	@tests/peers/bytes.sh $(BEFORE) $(B)/haichi

bench-mopt: deps
	@$(MAKE) -s --no-print-directory all
	@scripts/reproduce/sfmopt_times.sh $(B)/haichi results/sfmopt_times

bench-mappers: deps
	@$(MAKE) -s --no-print-directory all
	@tests/peers/mappers.sh $(B)

bench-faults: deps
	@$(MAKE) -s --no-print-directory all
	@tests/peers/faults.sh $(B)

bench-simulated: deps
	@$(MAKE) -s --no-print-directory all
	@tests/peers/simulated.sh $(B)

bench-allocations: deps
	@$(MAKE) -s --no-print-directory all
	@tests/peers/allocations.sh $(B) $(TOPOLOGY) $(SINFO)

bench-nodes: deps
	@$(MAKE) -s --no-print-directory all
	@tests/peers/treematch.sh $(B)/haichi
	@tests/peers/nodes.sh $(B)/haichi

bench-reorder: deps
	@$(MAKE) -s --no-print-directory all $(B)/tests/peers/reorder
	@tests/peers/reorder.sh $(B) $(TOPOLOGY)
	@tests/peers/reorder_node.sh $(B)

bench-explain: deps
	@$(MAKE) -s --no-print-directory all
	@tests/peers/explain.sh $(B)

reference: deps
	@$(MAKE) -s --no-print-directory all
	@tests/reference.sh $(B)

bench-qap: deps
	@$(MAKE) -s --no-print-directory all
	@tests/peers/qaplib.sh $(B)

bench-hcube: deps
	@$(MAKE) -s --no-print-directory all
	@tests/peers/hcube.sh $(B)

bench-record: deps
	@$(MAKE) -s --no-print-directory all
	@MPI=$(or $(MPI),openmpi) tests/peers/record.sh $(B)

check-is: deps
	@$(MAKE) -s --no-print-directory all
	@IS=$(IS) MPI=$(or $(MPI),openmpi) tests/peers/is.sh $(B)

reproduce: deps
	@$(MAKE) -s --no-print-directory all
	@HAICHI=$(B)/haichi scripts/reproduce/sfmopt.sh results/sfmopt
	@HAICHI=$(B)/haichi scripts/reproduce/hcube.sh results/hcube
	@HAICHI=$(B)/haichi scripts/reproduce/block.sh results/block
	@HAICHI=$(B)/haichi scripts/reproduce/megascript.sh results/megascript
	@HAICHI=$(B)/haichi scripts/reproduce/mcmpi.sh results/mcmpi
	@cd results && ../scripts/reproduce/verdicts.sh mcmpi megascript sfmopt hcube block

# Predictions beside measurements: of other machines, with their published times in DATA, and of this one.
reality: deps
	@[ -n "$(DATA)" ] || { echo 'make reality DATA=DIR: the folder of the measurements (docs/reality.md)' >&2; exit 2; }
	@$(MAKE) -s --no-print-directory all
	@HAICHI=$(B)/haichi scripts/reality/reality.sh "$(DATA)" results/reality
	@mkdir -p docs/reality && cp results/reality/page.md docs/reality.md && cp results/reality/reality/*.png docs/reality/

reality-here: deps
	@$(MAKE) -s --no-print-directory all
	@HAICHI=$(B)/haichi scripts/reality/here.sh results/reality-here

# The fuzzers are always built by clang, with the sanitizers.
fuzz: deps
	@$(MAKE) -s --no-print-directory CC=clang SAN=1 FUZZER=1 $(addprefix build/clang-san-fuzz/tests/fuzz/,$(FUZZ))
	@tests/fuzz/run.sh build/clang-san-fuzz $(FUZZ_SECONDS) $(FUZZ)

fuzz_folder = $(FUZZ_FOLDER_$(notdir $(1)))
FUZZ_FOLDER_fuzz_trace    = traces
FUZZ_FOLDER_fuzz_spec     = traces
FUZZ_FOLDER_fuzz_goal     = traces
FUZZ_FOLDER_fuzz_goal_binary = traces
FUZZ_FOLDER_fuzz_chakra   = traces
FUZZ_FOLDER_fuzz_dim      = traces
FUZZ_FOLDER_fuzz_prv      = traces
FUZZ_FOLDER_fuzz_tuned    = traces
FUZZ_FOLDER_fuzz_otf2     = traces
FUZZ_FOLDER_fuzz_dumpi    = traces
FUZZ_FOLDER_fuzz_matrix   = traces
FUZZ_FOLDER_fuzz_platform = platforms
FUZZ_FOLDER_fuzz_mapping  = platforms
FUZZ_FOLDER_fuzz_clusters = platforms
FUZZ_FOLDER_fuzz_hostlist = platforms
FUZZ_FOLDER_fuzz_allocation = platforms
FUZZ_FOLDER_fuzz_fabric   = platforms
FUZZ_FOLDER_fuzz_node     = platforms
FUZZ_FOLDER_fuzz_qaplib   = mappers
FUZZ_FOLDER_fuzz_load     = setup
FUZZ_FOLDER_fuzz_measurements = predict
FUZZ_FOLDER_fuzz_blocks   = predict
FUZZ_FOLDER_fuzz_kernels  = traces
FUZZ_FOLDER_fuzz_kernel_costs = predict
FUZZ_FOLDER_fuzz_schedule = mappers
FUZZ_FOLDER_fuzz_tasknet  = tasks
FUZZ_FOLDER_fuzz_meta     = tasks
$(B)/tests/fuzz/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $$(call libs,$$(call fuzz_folder,$$@))
	@$(CC) $(SANFLAGS) -fsanitize=fuzzer -o $@ $^ $(call ext,$(call fuzz_folder,$@))

# share/haichi has the layout of the tree, so that the scripts find what they use.
SHARE = $(DESTDIR)$(PREFIX)/share
LIB   = $(DESTDIR)$(PREFIX)/lib
INCLUDE = $(DESTDIR)$(PREFIX)/include/haichi
BASH_FOLDER = $(SHARE)/bash-completion/completions
ZSH_FOLDER  = $(SHARE)/zsh/site-functions
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/man/man1 $(BASH_FOLDER) $(ZSH_FOLDER) \
	  $(addprefix $(SHARE)/haichi/,platforms predict/runtime scripts/calibrate tests/data) \
	  $(LIB)/pkgconfig $(INCLUDE)
	install $(B)/haichi $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(B)/libhaichi.so $(LIB)/libhaichi.so.$(VERSION)
	ln -sf libhaichi.so.$(VERSION) $(LIB)/libhaichi.so.$(SONAME)
	ln -sf libhaichi.so.$(SONAME) $(LIB)/libhaichi.so
	install -m 644 library/haichi/*.h $(INCLUDE)
	for m in $(RECORD_MPI); do \
	  install -m 644 $(B)/libhaichi-$$m.so $(LIB)/libhaichi-$$m.so.$(VERSION) && \
	  ln -sf libhaichi-$$m.so.$(VERSION) $(LIB)/libhaichi-$$m.so.$(SONAME) && \
	  ln -sf libhaichi-$$m.so.$(SONAME) $(LIB)/libhaichi-$$m.so && \
	  sed "s|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|; s|@MPI@|$$m|" library/haichi-mpi.pc.in >$(B)/haichi-$$m.pc && \
	  install -m 644 $(B)/haichi-$$m.pc $(LIB)/pkgconfig || exit; done
	$(if $(RECORDERS)$(REORDERERS),install -d $(LIB)/haichi && install -m 644 $(RECORDERS) $(REORDERERS) $(LIB)/haichi)
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' library/haichi.pc.in >$(B)/haichi.pc
	install -m 644 $(B)/haichi.pc $(LIB)/pkgconfig
	install -m 644 docs/haichi.1 $(SHARE)/man/man1
	install -m 644 scripts/completion.bash $(BASH_FOLDER)/haichi
	install -m 644 scripts/completion.zsh $(ZSH_FOLDER)/_haichi
	install -m 644 platforms/*.xml platforms/*.clusters $(SHARE)/haichi/platforms
	install scripts/demo.sh $(SHARE)/haichi/scripts
	install -m 644 predict/runtime/haichi_blocks.[ch] $(SHARE)/haichi/predict/runtime
	install -m 644 scripts/*.gp scripts/report.html scripts/report.css scripts/report.js $(SHARE)/haichi/scripts
	install -m 644 scripts/calibrate/* $(SHARE)/haichi/scripts/calibrate
	install -m 644 tests/data/cg.A.64.2it.tar.zst $(SHARE)/haichi/tests/data

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/haichi $(SHARE)/man/man1/haichi.1 $(BASH_FOLDER)/haichi $(ZSH_FOLDER)/_haichi
	for l in libhaichi libhaichi-openmpi libhaichi-mpich; do \
	  rm -f $(LIB)/$$l.so.$(VERSION) $(LIB)/$$l.so.$(SONAME) || exit; \
	  [ -e $(LIB)/$$l.so ] || rm -f $(LIB)/$$l.so; done
	rm -f $(addprefix $(LIB)/pkgconfig/haichi,.pc -openmpi.pc -mpich.pc)
	rm -rf $(SHARE)/haichi $(LIB)/haichi $(INCLUDE)

clean:
	rm -rf build haichi

-include $(shell find build -name '*.d' 2>/dev/null)
