#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "platforms/platform.h"
#include <sys/stat.h>

#include "tests/unit/scratch.h"

#define DOCTYPE  "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
#define BEGIN    DOCTYPE "<platform version='4.1'>\n"
#define END      "</platform>\n"
#define NAMES    " id='c' prefix='n' suffix='.x'"
#define FOUR     " topology='TORUS' topo_parameters='2,2' radical='0-3'"
#define SPEEDS   " speed='1Gf' bw='1GBps' lat='1us'"
#define LOOPBACK " loopback_bw='2GBps' loopback_lat='2us'"
#define CLUSTER  "<cluster" NAMES FOUR SPEEDS LOOPBACK "/>"
/* Clusters with other names, another shape, other speeds, or additional attributes. */
#define NAMED(n)  "<cluster" n FOUR SPEEDS LOOPBACK "/>"
#define SHAPED(s) "<cluster topology='TORUS'" NAMES SPEEDS LOOPBACK s "/>"
#define TIMED(s)  "<cluster" NAMES FOUR LOOPBACK s "/>"
#define WITH(a)   "<cluster" NAMES FOUR SPEEDS LOOPBACK a "/>"
#define PROP(s, v)                                                                                 \
  "<cluster topology='TORUS'" NAMES SPEEDS LOOPBACK s ">\n<prop id='haichi.topology' value='" v    \
  "'/></cluster>"
#define TRACE(id, text) "<trace id='" id "' periodicity='-1'>" text "</trace>"
#define CONNECT(id, el) "<trace_connect kind='SPEED' trace='" id "' element='" el "'/>"

static enum status load(struct platform **p, const char *text, size_t length, struct err *e)
{
  scratch_write_bytes("p", text, length);
  *p = NULL;
  return platform_load(p, "p", e);
}

static void torus_clusters_are_understood(void **state)
{
  (void)state;
  static const struct {
    const char *text, *spec, *first;
  } rows[] = {
      {BEGIN CLUSTER END, "torus:2x2", "n0.x"},
      {"<?xml version='1.0' encoding='ISO-8859-1'?>\r\n" BEGIN CLUSTER END, "torus:2x2", "n0.x"},
      {"<!-- <!DOCTYPE [ -->" BEGIN "<!-- & -->" CLUSTER END, "torus:2x2", "n0.x"},
      {"<!DOCTYPE platform SYSTEM 'http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd'>"
       "<platform version='4'>" CLUSTER END,
       "torus:2x2", "n0.x"},
      {BEGIN "<zone id='z' routing='Full'><prop id='a' value='b'/>" CLUSTER "</zone>" END,
       "torus:2x2", "n0.x"},
      {BEGIN "<AS id='z' routing='None'><zone id='y' routing='Floyd'>" CLUSTER "</zone></AS>" END,
       "torus:2x2", "n0.x"},
      {BEGIN NAMED(" id='c' prefix='&lt;&#45;\"' suffix=''") END, "torus:2x2", "<-\"0"},
      {BEGIN SHAPED(" topo_parameters='5' radical='0-4'") END, "torus:5", "n0.x"},
      {BEGIN SHAPED(" topo_parameters='5' radical='0,1-3,4'") END, "torus:5", "n0.x"},
      {BEGIN SHAPED(" topo_parameters='3,1,2' radical='0-5'") END, "torus:3x1x2", "n0.x"},
      {BEGIN SHAPED(" topo_parameters='1' radical='0'") END, "torus:1", "n0.x"},
      {BEGIN WITH(" sharing_policy='SPLITDUPLEX'") END, "torus:2x2", "n0.x"},
      {BEGIN WITH(" sharing_policy='FULLDUPLEX' core='1'") END, "torus:2x2", "n0.x"},
      {BEGIN WITH(" bb_bw='1Bps' bb_lat='1s' bb_sharing_policy='FATPIPE' router_id='r'") END,
       "torus:2x2", "n0.x"},
      {BEGIN PROP(" topo_parameters='2,2' radical='0-3'", "hypercube:2") END, "hypercube:2",
       "n0.x"},
      {BEGIN PROP(" topo_parameters='3,5' radical='0-14'", "mesh:2x3") END, "mesh:2x3", "n0.x"},
      {BEGIN PROP(" topo_parameters='3' radical='0-2'", "mesh:1x2x1") END, "mesh:1x2x1", "n0.x"},
      {BEGIN PROP(" topo_parameters='1' radical='0-0'", "torus:1x1") END, "torus:1x1", "n0.x"},
      {BEGIN "<cluster" NAMES FOUR SPEEDS
             " loopback_bw='1Bps'><prop id='a' value='b'/></cluster>" END,
       "torus:2x2", "n0.x"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p;
    struct err e;
    char name[PLATFORM_NAME_SIZE];
    if (load(&p, rows[i].text, strlen(rows[i].text), &e) != OK)
      fail_msg("row %zu: %s", i, e.text);
    if (platform_topology(p) == NULL)
      fail_msg("row %zu is opaque", i);
    assert_string_equal(topology_spec(platform_topology(p)), rows[i].spec);
    assert_string_equal(platform_host_name(p, 0, name, sizeof name), rows[i].first);
    platform_free(p);
  }
}

static void quantities_are_read_from_the_file(void **state)
{
  (void)state;
  static const char text[] = BEGIN CLUSTER END;
  struct platform *p;
  struct err e;
  char name[PLATFORM_NAME_SIZE];
  assert_int_equal(load(&p, text, sizeof text - 1, &e), OK);
  assert_true(platform_host_speed(p, 3) == 1e9);
  assert_true(platform_bandwidth(p) == 1e9);
  assert_true(platform_latency(p) == 1e-6);
  assert_true(platform_loopback_bandwidth(p) == 2e9);
  assert_true(platform_loopback_latency(p) == 2e-6);
  platform_link_name(p, 0, name, sizeof name);
  assert_string_equal(name, "c_link_from_0_to_1_UP");
  platform_free(p);
}

/* Platforms that haichi understands although they are not a single torus cluster. */
static void other_platforms_are_understood(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    uint32_t hosts;
  } rows[] = {
      {BEGIN
       "<zone id='z' routing='Full'>" CLUSTER NAMED(" id='d' prefix='m' suffix=''") "</zone>" END,
       8},
      {BEGIN "<zone id='z' routing='Full'><zone id='y' routing='Full'><host id='h' speed='1Gf'/>"
             "</zone>" CLUSTER "</zone>" END,
       5},
      {BEGIN "<zone id='z' routing='Vivaldi'>" CLUSTER "</zone>" END, 4},
      {BEGIN "<cluster" NAMES SPEEDS " radical='0-3'/>" END, 4},
      {BEGIN "<cluster" NAMES SPEEDS " radical='0-3' topology='FLAT'/>" END, 4},
      {BEGIN TIMED(" speed='2Gf,1Gf' bw='1GBps' lat='1us'") END, 4},
      {BEGIN WITH(" sharing_policy='SHARED'") END, 4},
      {BEGIN WITH(" sharing_policy='FATPIPE'") END, 4},
      {BEGIN WITH(" limiter_link='1GBps'") END, 4},
      {BEGIN WITH(" core='4'") END, 4},
      {BEGIN SHAPED(" topo_parameters='3' radical='1-3'") END, 3},
      {BEGIN SHAPED(" topo_parameters='3' radical='0,2-3'") END, 3},
      {BEGIN SHAPED(" topo_parameters='2,2,2,2,2,2,2,2,2' radical='0-511'") END, 512},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p;
    struct err e;
    if (load(&p, rows[i].text, strlen(rows[i].text), &e) != OK)
      fail_msg("row %zu: %s", i, e.text);
    if (platform_is_opaque(p))
      fail_msg("row %zu is opaque", i);
    assert_int_equal(platform_hosts(p), rows[i].hosts);
    platform_free(p);
  }
}

static void other_platforms_are_opaque(void **state)
{
  (void)state;
  static const char *const rows[] = {
      BEGIN END,
      BEGIN CLUSTER NAMED(" id='d' prefix='m' suffix=''") END,
      BEGIN "<zone id='z' routing='Full'></zone>" CLUSTER END,
      BEGIN "<zone id='z' routing='Full'></zone>" END,
      BEGIN "<zone id='z' routing='Full'>" CLUSTER "<prop id='a' value='b'/></zone>" END,
      BEGIN "<zone id='z' routing='Wifi'>" CLUSTER "</zone>" END,
      BEGIN "text" CLUSTER END,
      BEGIN "<prop id='a' value='b'/>" CLUSTER END,
      BEGIN CLUSTER "<actor host='n0.x' function='f'/>" END,
      BEGIN NAMED(" id='c' prefix='n d' suffix=''") END,
      BEGIN NAMED(" id='c' prefix='n' suffix='\xc3\xa9'") END,
      BEGIN NAMED(" id='' prefix='n' suffix=''") END,
      BEGIN NAMED(" id='c' suffix='' prefix='"
                  "0123456789012345678901234567890123456789012345678901234567890'") END,
      BEGIN CLUSTER TRACE("t", "STOCHASTIC\nDET 1 UNIF 0 1") CONNECT("t", "n1.x") END,
      BEGIN CLUSTER TRACE("t", "EXP 1 NORM 1 2") CONNECT("t", "n1.x") END,
      DOCTYPE "<platform xmlns='u' version='4.1'>" CLUSTER END,
      /* SimGrid refuses these values. */
      BEGIN "<zone id='z' routing='Full'><host id='a' speed='1f' pstate=''/></zone>" END,
      BEGIN "<zone id='z' routing='Full'><host id='a' speed='1f'/>"
            "<link id='l' bandwidth='1Bps' latency='1s' sharing_policy=''/></zone>" END,
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p;
    struct err e;
    if (load(&p, rows[i], strlen(rows[i]), &e) != OK)
      fail_msg("row %zu: %s", i, e.text);
    if (!platform_is_opaque(p))
      fail_msg("row %zu is not opaque", i);
    platform_free(p);
  }
}

struct refusal {
  const char *text, *sentence;
};

static void check_refusals(const struct refusal *rows, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    struct platform *p;
    struct err e = {.text = ""};
    if (load(&p, rows[i].text, strlen(rows[i].text), &e) == OK)
      fail_msg("row %zu is not refused: %s", i, rows[i].sentence);
    assert_null(p);
    if (strncmp(e.text, rows[i].sentence, strlen(rows[i].sentence)) != 0)
      fail_msg("row %zu: '%s' is not '%s'", i, e.text, rows[i].sentence);
  }
}

static void bad_documents_are_refused(void **state)
{
  (void)state;
  static const struct refusal rows[] = {
      {"", "p:1: "},
      {"no XML", "p:1: Start tag expected"},
      {BEGIN "<cluster>" END, "p:3: Opening and ending tag mismatch"},
      {BEGIN CLUSTER, "p:3: Premature end of data"},
      {BEGIN END END, "p:4: Extra content"},
      {BEGIN "<a:b/>" END, "p:3: Namespace prefix a"},
      {BEGIN NAMED(" id='c' prefix='&foo;' suffix=''") END, "p:3: Entity 'foo' not defined"},
      {"\xef\xbb\xbf" BEGIN END, "p:1: starts with a byte order mark"},
      {DOCTYPE "<zone/>", "p:2: the root element is <zone>, not <platform>"},
      {"<platform version='4.1'/>", "p:1: SimGrid demands <!DOCTYPE platform SYSTEM"},
      {"<!DOCTYPE platform SYSTEM 'simgrid.dtd'>\n<platform version='4.1'/>",
       "p:2: SimGrid demands <!DOCTYPE platform SYSTEM"},
      {"<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd' []>\n"
       "<platform version='4.1'/>",
       "p:2: SimGrid demands <!DOCTYPE platform SYSTEM"},
      {"<!DOCTYPE platform PUBLIC 'a' 'https://simgrid.org/simgrid.dtd'>\n"
       "<platform version='4.1'/>",
       "p:2: SimGrid demands <!DOCTYPE platform SYSTEM"},
      {"<?xml version='1.0' standalone='yes'?>" BEGIN END, "p:1: SimGrid does not read 'standalo"},
      {DOCTYPE "<platform/>", "p:2: <platform> lacks the attribute 'version'"},
      {DOCTYPE "<platform version='4.1' id='x'/>", "p:2: <platform> has no attribute 'id'"},
      {DOCTYPE "<platform version='3'/>", "p:2: platform version '3' is neither 4 nor 4.1"},
      {DOCTYPE "<platform version='4.2'/>", "p:2: platform version '4.2' is neither 4 nor 4.1"},
      {DOCTYPE "<platform version='four'/>", "p:2: platform version 'four' is neither 4 nor"},
  };
  check_refusals(rows, COUNT(rows));
  struct platform *p;
  struct err e;
  assert_int_equal(load(&p, BEGIN "<a\0/>" END, sizeof(BEGIN "<a\0/>" END) - 1, &e), FAIL);
  assert_string_equal(e.text, "p:3: a NUL character");
  assert_int_equal(platform_load(&p, "none", &e), FAIL);
  assert_string_equal(e.text, "none: cannot read: No such file or directory");
  assert_int_equal(platform_load(&p, ".", &e), FAIL);
  assert_string_equal(e.text, ".: cannot read: Is a directory");
}

/* For these documents SimGrid would write files, block, fill the memory, or run commands. */
static void hostile_documents_are_refused(void **state)
{
  (void)state;
  static const struct refusal rows[] = {
      {BEGIN "<config id='a'><prop id='tracing/filename' value='victim'/></config>" CLUSTER END,
       "p:3: <config>: 'tracing/filename' is not an option that a platform file may set: "
       "smpi/lat-factor, smpi/bw-factor"},
      {BEGIN "<zone id='z' routing='Full'>\n<config id='a'/></zone>" END,
       "p:4: <config>: SimGrid reads it at the beginning of <platform> only"},
      {"<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd' [<!ENTITY x 'y'>]>\n"
       "<platform version='4.1'><zone id='a' routing='Full'>&x;&x;</zone></platform>",
       "p:2: SimGrid demands <!DOCTYPE platform SYSTEM"},
      {BEGIN "<zone id='z' routing='Full'>&x;</zone>" END, "p:3: Entity 'x' not defined"},
      {BEGIN "<zone id='z' routing='Full'><host id='h' speed='1' state_file='fifo'/></zone>" END,
       "p:3: state_file: 'fifo' is not a file"},
      {BEGIN "<trace id='t' periodicity='-1' file='/dev/zero'/>" END,
       "p:3: file: '/dev/zero' is not a file"},
      {BEGIN "<cluster" NAMES SPEEDS " radical='0-9,20-4294967295'/>" END,
       "p:3: radical: '20-4294967295' has a number above 2147483647"},
      {BEGIN
       "<zone id='z' routing='Cluster'><cabinet id='c' prefix='n' suffix='' radical='0-99999999'"
       " speed='1f' bw='1Bps' lat='1s'/></zone>" END,
       "p:3: more than 4194304 hosts"},
      {BEGIN "<cluster" NAMES SPEEDS " radical='0-99999999999999999999999'/>" END,
       "p:3: radical: '0-99999"},
  };
  assert_int_equal(mkfifo("fifo", 0600), 0);
  check_refusals(rows, COUNT(rows));
  struct platform *p;
  struct err e;
  assert_int_equal(platform_load(&p, "p.so", &e), FAIL);
  assert_string_equal(e.text,
                      "p.so: SimGrid would run a file of this name as a program; rename it");
}

static void endless_files_are_refused(void **state)
{
  (void)state;
  struct platform *p;
  struct err e;
  assert_int_equal(load(&p, "", 0, &e), FAIL);
  assert_int_equal(truncate("p", (off_t)257 << 20), 0);
  assert_int_equal(platform_load(&p, "p", &e), FAIL);
  assert_string_equal(e.text, "p:1: a NUL character");
}

static void bad_clusters_are_refused(void **state)
{
  (void)state;
  static const struct refusal rows[] = {
      {BEGIN NAMED(" prefix='n' suffix=''") END, "p:3: <cluster> lacks the attribute 'id'"},
      {BEGIN NAMED(" id='c' suffix=''") END, "p:3: <cluster> lacks the attribute 'prefix'"},
      {BEGIN NAMED(" id='c' prefix='n'") END, "p:3: <cluster> lacks the attribute 'suffix'"},
      {BEGIN SHAPED(" topo_parameters='2'") END, "p:3: <cluster> lacks the attribute 'radical'"},
      {BEGIN TIMED(" bw='1Bps' lat='1s'") END, "p:3: <cluster> lacks the attribute 'speed'"},
      {BEGIN TIMED(" speed='1f' lat='1s'") END, "p:3: <cluster> lacks the attribute 'bw'"},
      {BEGIN TIMED(" speed='1f' bw='1Bps'") END, "p:3: <cluster> lacks the attribute 'lat'"},
      {BEGIN WITH(" colour='red'") END, "p:3: <cluster> has no attribute 'colour' in SimGrid"},
      {BEGIN TIMED(" speed='1GB' bw='1Bps' lat='1s'") END, "p:3: speed: '1GB' is not a speed"},
      {BEGIN TIMED(" speed='1f' bw='0Bps' lat='1s'") END, "p:3: bw: the bandwidth"},
      {BEGIN TIMED(" speed='1f' bw='1Bps' lat='-1s'") END, "p:3: lat: the time"},
      {BEGIN TIMED(" speed='1f' bw='1Bps' lat=''") END, "p:3: lat: '' is not a time"},
      {BEGIN "<cluster" NAMES FOUR SPEEDS " loopback_bw='1x'/>" END, "p:3: loopback_bw: '1x' is"},
      {BEGIN "<cluster" NAMES FOUR SPEEDS " loopback_bw='1Bps' loopback_lat='x'/>" END,
       "p:3: loopback_lat: 'x' is not a time"},
      {BEGIN "<cluster" NAMES FOUR SPEEDS "/>" END, "p:3: loopback_bw: missing; without it"},
      {BEGIN "<cluster" NAMES FOUR SPEEDS " loopback_lat='1s'/>" END,
       "p:3: loopback_lat: without loopback_bw"},
      {BEGIN WITH(" limiter_link='x'") END, "p:3: limiter_link: 'x' is not a bandwidth"},
      {BEGIN WITH(" bb_bw='x'") END, "p:3: bb_bw: 'x' is not a bandwidth"},
      {BEGIN WITH(" bb_lat='x'") END, "p:3: bb_lat: 'x' is not a time"},
      {BEGIN WITH(" sharing_policy='MINE'") END, "p:3: sharing_policy: SimGrid knows no policy '"},
      {BEGIN WITH(" sharing_policy=''") END, "p:3: sharing_policy: SimGrid knows no policy ''"},
      {BEGIN WITH(" bb_sharing_policy='X'") END, "p:3: bb_sharing_policy: SimGrid knows no polic"},
      {BEGIN WITH(" core='0'") END, "p:3: core: 0 cores"},
      {BEGIN WITH(" core='two'") END, "p:3: core: 'two' is not a whole number"},
      {BEGIN PROP(" topo_parameters='2' radical='0-1'", "ring:2") END,
       "p:4: unknown topology 'ring'"},
      {BEGIN PROP(" topo_parameters='8,8,8' radical='0-511'", "mesh:9x9") END,
       "p:4: property haichi.topology says mesh:9x9, which topo_parameters '8,8,8' do not "
       "describe"},
      {BEGIN PROP(" topo_parameters='3' radical='0-2'", "torus:3x2") END, "p:4: property haichi.t"},
      {BEGIN PROP(" topo_parameters='3,2' radical='0-5'", "torus:3") END, "p:4: property haichi.t"},
      {BEGIN PROP(" topo_parameters='3,5' radical='0-14'", "mesh:2x2") END,
       "p:4: property haichi."},
      {BEGIN PROP(
           " topo_parameters='2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2' radical='0-2097151'",
           "hypercube:20") END,
       "p:4: property haichi."},
      {BEGIN "<zone id='z'>" CLUSTER "</zone>" END, "p:3: <zone> lacks the attribute 'routing'"},
      {BEGIN "<zone id='c' routing='Full'>" CLUSTER "</zone>" END,
       "p:3: a second host, router or zone named 'c'"},
      {BEGIN "<cluster" NAMES FOUR SPEEDS LOOPBACK "><host id='h' speed='1f'/></cluster>" END,
       "p:3: <host> has no attribute 'speed'"},
      {BEGIN "<cluster" NAMES FOUR SPEEDS LOOPBACK "><prop id='a'/></cluster>" END,
       "p:3: <prop> lacks the attribute 'value'"},
  };
  check_refusals(rows, COUNT(rows));
}

static void bad_shapes_are_refused(void **state)
{
  (void)state;
  static const struct refusal rows[] = {
      {BEGIN SHAPED(" radical='0-3'") END, "p:3: topo_parameters: 'sides' is missing"},
      {BEGIN SHAPED(" topo_parameters='2,' radical='0-1'") END,
       "p:3: topo_parameters: sides: '' is"},
      {BEGIN SHAPED(" topo_parameters='2x2' radical='0-3'") END,
       "p:3: topo_parameters: sides: '2x2' is not a whole number"},
      {BEGIN SHAPED(" topo_parameters='2,0' radical='0-1'") END,
       "p:3: topo_parameters: sides: 0 is"},
      {BEGIN SHAPED(" topo_parameters='1,2,1' radical='0-1'") END, "p:3: topo_parameters: two sid"},
      {BEGIN SHAPED(" topo_parameters='8192,8193' radical='0-1'") END,
       "p:3: topo_parameters: more than 67108864 hosts"},
      {BEGIN SHAPED(" topo_parameters='99999999999' radical='0-1'") END,
       "p:3: topo_parameters: sides: 99999999999 is above the maximum of 67108864"},
      {BEGIN SHAPED(" topo_parameters='4' radical='0-4'") END,
       "p:3: radical '0-4' counts 5 hosts, topo_parameters '4' makes 4"},
      {BEGIN SHAPED(" topo_parameters='4' radical='0-2'") END, "p:3: radical '0-2' counts 3 hosts"},
      {BEGIN SHAPED(" topo_parameters='4' radical='3-0'") END,
       "p:3: radical: a range that ends before it begins"},
      {BEGIN SHAPED(" topo_parameters='4' radical='0-'") END, "p:3: radical: expected a number at"},
      {BEGIN SHAPED(" topo_parameters='4' radical='2,0-2'") END,
       "p:3: radical: 2 is in two ranges"},
      {BEGIN SHAPED(" topo_parameters='4' radical='0-1-3'") END, "p:3: radical: expected numbers "},
      {BEGIN SHAPED(" topo_parameters='4' radical='-3'") END, "p:3: radical: expected a number at"},
      {BEGIN SHAPED(" topo_parameters='4' radical=''") END,
       "p:3: radical: expected a number at ''"},
      {BEGIN SHAPED(" topo_parameters='4' radical='0-2147483648'") END,
       "p:3: radical: '0-2147483648' has a number above 2147483647"},
  };
  check_refusals(rows, COUNT(rows));
}

#define ZONE(kind, inside) BEGIN "<zone id='z' routing='" kind "'>" inside "</zone>" END
#define HOSTS              "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>"
#define LINK               "<link id='l' bandwidth='1GBps' latency='1us'/>"
#define SPLIT              "<link id='s' bandwidth='1GBps' sharing_policy='SPLITDUPLEX'/>"
#define ROUTE(a, b, links) "\n<route src='" a "' dst='" b "'>" links "</route>"
#define ON(l)              "<link_ctn id='" l "'/>"
#define INNER                                                                                      \
  "<zone id='y' routing='Full'><host id='a' speed='1Gf'/></zone>"                                  \
  "<zone id='x' routing='Full'><host id='b' speed='1Gf'/></zone>" LINK

static void bad_zones_are_refused(void **state)
{
  (void)state;
  static const struct refusal rows[] = {
      {ZONE("Full", "<host id='a'/>"), "p:3: <host> lacks the attribute 'speed'"},
      {ZONE("Full", "<host id='a' speed='x'/>"), "p:3: speed: 'x' is not a speed"},
      {ZONE("Full", "<host id='a' speed='1f' core='0'/>"), "p:3: core: 0 cores"},
      {ZONE("Full", "<host id='a' speed='1f' core=''/>"), "p:3: core: '' is not a whole number"},
      {ZONE("Full", HOSTS "<host id='a' speed='1f'/>"),
       "p:3: a second host, router or zone named 'a'"},
      {ZONE("Full", HOSTS "<router id='z'/>"), "p:3: a second host, router or zone named 'z'"},
      {ZONE("Full", CLUSTER "<zone id='y' routing='Full'><host id='n3.x' speed='1f'/></zone>"),
       "p:3: a second host, router or zone named 'n3.x'"},
      {ZONE("Full", HOSTS LINK LINK), "p:3: a second link named 'l'"},
      {ZONE("Full", HOSTS "<link id='l' bandwidth='0Bps'/>"), "p:3: bandwidth: the bandwidth"},
      {ZONE("Full", HOSTS "<link id='l' bandwidth='1Bps' latency='-1s'/>"), "p:3: latency: the t"},
      {ZONE("Full", HOSTS "<link id='l'/>"), "p:3: <link> lacks the attribute 'bandwidth'"},
      {ZONE("Full", HOSTS LINK ROUTE("a", "c", ON("l"))),
       "p:4: dst: no host, router or zone 'c' before this line"},
      {ZONE("Full", HOSTS LINK ROUTE("a", "b", ON("m"))), "p:4: no link 'm'"},
      {ZONE("Full", HOSTS SPLIT ROUTE("a", "b", ON("s"))), "p:4: no link 's'"},
      {ZONE("Full", HOSTS LINK ROUTE("a", "b", "<link_ctn id='l' direction='UP'/>")),
       "p:4: no link 'l' that is split"},
      {ZONE("Full", HOSTS LINK ROUTE("a", "b", "")), "p:4: a route without links"},
      {ZONE("Full", HOSTS LINK ROUTE("a", "b", ON("l")) ROUTE("b", "a", ON("l"))),
       "p:5: a second route from 'b' to 'a'"},
      {ZONE("Floyd", HOSTS LINK ROUTE("a", "z", ON("l"))),
       "p:4: <route>: its ends are not both in"},
      {ZONE("Full", INNER ROUTE("a", "b", ON("l"))), "p:4: <route>: its ends are not both in this"},
      {ZONE("Full", INNER "\n<bypassRoute src='y' dst='x'>" ON("l") "</bypassRoute>"),
       "p:4: <bypassRoute>: it leads to or from a zone"},
      {ZONE("Full",
            INNER "\n<zoneRoute src='y' dst='x' gw_src='b' gw_dst='b'>" ON("l") "</zoneRoute>"),
       "p:4: <zoneRoute>: a gateway is not a host or router of its zone"},
      {ZONE("Full", INNER "\n<zoneRoute src='y' dst='x' gw_src='a'>" ON("l") "</zoneRoute>"),
       "p:4: <zoneRoute> lacks the attribute 'gw_dst'"},
      {ZONE("Cluster", HOSTS LINK "\n<host_link id='a' up='l' down='m'/>"), "p:4: no link 'm'"},
      {ZONE("Cluster", HOSTS LINK ROUTE("a", "b", ON("l"))),
       "p:4: in a zone of routing Cluster, a route must lead from a host to itself"},
      {BEGIN "<cluster" NAMES SPEEDS
             " radical='0-5' topology='FAT_TREE' topo_parameters='2;3'/>" END,
       "p:3: topo_parameters: 'parents' is missing; expected LEVELS;CHILDREN"},
      {BEGIN "<cluster" NAMES SPEEDS
             " radical='0-5' topology='FAT_TREE' topo_parameters='2;3,2;1;1,1'/>" END,
       "p:3: topo_parameters: parents has 1 levels, but children has 2"},
      {BEGIN
       "<cluster" NAMES SPEEDS
       " radical='0-1' topology='FAT_TREE' topo_parameters='1;2;3;1' limiter_link='1Bps'/>" END,
       "p:3: limiter_link: more switches than hosts"},
      {BEGIN "<cluster" NAMES SPEEDS
             " radical='0-5' topology='DRAGONFLY' topo_parameters='2,1;1,1;3'/>" END,
       "p:3: topo_parameters: 'links between routers' is missing; expected GROUPS"},
      {BEGIN "<cluster" NAMES SPEEDS
             " radical='0-5' topology='DRAGONFLY' topo_parameters='3,1;1,1;2,1;1'/>" END,
       "p:3: topo_parameters: 3 groups, but a chassis has 2 routers"},
      {BEGIN "<cluster" NAMES SPEEDS " radical='0-5' topology='RING'/>" END,
       "p:3: topology: SimGrid knows FLAT, TORUS, FAT_TREE and DRAGONFLY"},
  };
  check_refusals(rows, COUNT(rows));
}

/* The loopback of the last host is declared before the links of the first, so the table of points
 * grows at once to 200 entries, all of which must be initialised.  M_PERTURB fills new blocks of
 * memory; 200 entries are too many for a block that malloc() reuses. */
static void loopbacks_of_stars_affect_their_hosts_only(void **state)
{
  (void)state;
  enum { HOST_COUNT = 200 };
  char text[16384];
  struct platform *p;
  struct platform_finder *f;
  struct platform_route r;
  struct err e;
  size_t n = (size_t)snprintf(text, sizeof text, "%s<zone id='z' routing='Cluster'>", BEGIN);
  for (int h = 0; h < HOST_COUNT; h++)
    n += (size_t)snprintf(text + n, sizeof text - n, "<host id='h%d' speed='1Gf'/>", h);
  n += (size_t)snprintf(
      text + n, sizeof text - n,
      LINK "<host_link id='h0' up='l' down='l'/>" ROUTE("h%d", "h%d", ON("l")) "</zone>" END,
      HOST_COUNT - 1, HOST_COUNT - 1);
  mallopt(M_PERTURB, 0x55); /* fills new memory */
  assert_int_equal(load(&p, text, n, &e), OK);
  mallopt(M_PERTURB, 0);
  assert_int_equal(platform_finder_new(&f, p, &e), OK);
  for (uint32_t h = 0; h < HOST_COUNT; h += HOST_COUNT - 1) {
    assert_int_equal(platform_route(f, h, h, &r, &e), OK);
    assert_int_equal(r.links, 1);
  }
  assert_int_equal(platform_route(f, 1, 1, &r, &e), OK);
  assert_int_equal(r.links, 0);
  platform_finder_free(f);
  platform_free(p);
}

static void speed_traces_scale_their_hosts(void **state)
{
  (void)state;
  static const char text[] = BEGIN TRACE("a", "\n 0.0\t0.5 \n\n") CONNECT("a", "n1.x")
      CLUSTER TRACE("unused", "0 9") TRACE("c", "0 2") CONNECT("c", "n3.x") END;
  static const char mesh[] = BEGIN PROP(" topo_parameters='5' radical='0-4'", "mesh:3")
      TRACE("a", "0 0.5") CONNECT("a", "n4.x") TRACE("b", "0 0.25") CONNECT("b", "n2.x") END;
  struct platform *p;
  struct err e;
  assert_int_equal(load(&p, text, sizeof text - 1, &e), OK);
  assert_true(platform_host_speed(p, 0) == 1e9 && platform_host_speed(p, 1) == 0.5e9);
  assert_true(platform_host_speed(p, 2) == 1e9 && platform_host_speed(p, 3) == 2e9);
  platform_free(p);
  assert_int_equal(load(&p, mesh, sizeof mesh - 1, &e), OK);
  assert_true(platform_host_speed(p, 1) == 1e9 && platform_host_speed(p, 2) == 0.25e9);
  platform_free(p);
}

#define SPEED(text, period)                                                                        \
  BEGIN CLUSTER "<trace id='t' periodicity='" period "'>" text "</trace>" CONNECT("t", "n1.x") END

static void profiles_are_read(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    size_t events;
    double after[3], value[3], repeat_s;
  } rows[] = {
      {SPEED("0 0.5\n1 1", "-1"), 2, {0, 1}, {0.5, 1}, -1},
      {SPEED("1 0.5", "-1"), 1, {1}, {0.5}, -1},
      {SPEED("0 0.5", "5"), 1, {0}, {0.5}, 5},
      {SPEED("# none\n 1\t0.5 \r\n\n%\n3 2\nLOOPAFTER 2", "0"), 2, {1, 2}, {0.5, 2}, 2},
      {SPEED("PERIODICITY 4\n1 1\n3 2", "-1"), 2, {1, 2}, {1, 2}, 1},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p;
    struct err e;
    if (load(&p, rows[i].text, strlen(rows[i].text), &e) != OK)
      fail_msg("row %zu: %s", i, e.text);
    assert_false(platform_is_opaque(p));
    assert_int_equal(platform_profiles(p), 1);
    const struct profile *x = platform_profile(p, 0);
    assert_int_equal(x->kind, PROFILE_SPEED);
    assert_int_equal(x->target, 1);
    assert_int_equal(x->events, rows[i].events);
    assert_memory_equal(x->after, rows[i].after, x->events * sizeof *x->after);
    assert_memory_equal(x->value, rows[i].value, x->events * sizeof *x->value);
    assert_true(x->repeat_s == rows[i].repeat_s);
    platform_free(p);
  }
}

static void bad_traces_are_refused(void **state)
{
  (void)state;
  static const struct refusal rows[] = {
      {BEGIN CLUSTER "<trace periodicity='-1'>0 1</trace>" END, "p:3: <trace> lacks the attribute"},
      {BEGIN CLUSTER "<trace id='t'>0 1</trace>" END, "p:3: <trace> lacks the attribute 'period"},
      {BEGIN CLUSTER "<trace id='t' periodicity='0' x=''>0 1</trace>" END, "p:3: <trace> has no a"},
      {BEGIN CLUSTER TRACE("t", "0 1") TRACE("t", "0 1") END, "p:3: a second <trace> named 't'"},
      {BEGIN CLUSTER "<trace_connect kind='SPEED' trace='t'/>" END,
       "p:3: <trace_connect> lacks the attribute 'element'"},
      {BEGIN CLUSTER CONNECT("t", "n0.x") END, "p:3: no <trace> 't' before this line"},
      {BEGIN CLUSTER CONNECT("t", "n0.x") "\n" TRACE("t", "0 1") END, "p:3: no <trace> 't' before"},
      {BEGIN CLUSTER TRACE("t", "0 1") CONNECT("t", "n0.x") "\n" CONNECT("t", "n1.x") END,
       "p:4: <trace> 't' is connected twice"},
      {BEGIN CLUSTER TRACE("t", "0 1") TRACE("u", "0 1") CONNECT("t", "n0.x") CONNECT("u", "n0.x")
           END,
       "p:3: a second speed profile of the same target"},
      {BEGIN CLUSTER TRACE("t", "0 1") CONNECT("t", "n4.x") END, "p:3: no host 'n4.x' on this pl"},
      {BEGIN "<cluster" NAMES SPEEDS " radical='5-8'/>" TRACE("t", "0 1") CONNECT("t", "n0.x") END,
       "p:3: no host 'n0.x' on this platform"},
      {BEGIN SHAPED(" topo_parameters='2,2' radical='4-7'") TRACE("t", "0 1") CONNECT("t", "n0.x")
           END,
       "p:3: no host 'n0.x' on this platform"},
      {BEGIN CLUSTER TRACE("t", "0 1e300") CONNECT("t", "n0.x") END, "p:3: a speed of 1e+300 tim"},
      {SPEED("0", "-1"), "p:3: a profile: '0' is not a date and a value"},
      {SPEED("0\n0.5", "-1"), "p:3: a profile: '0' is not a date and a value"},
      {SPEED("0 1\n2 x", "-1"), "p:4: a profile: 'x' is not a number"},
      {SPEED("0 -1", "-1"), "p:3: a profile: -1 is outside"},
      {SPEED("2 1\n1 1", "-1"), "p:4: a profile: a date before the previous one: 1"},
      {SPEED("0 1", "x"), "p:3: periodicity: 'x' is not a number"},
      {SPEED("4 1", "3"), "p:4: a profile: it restarts before its last event, at 4"},
      {SPEED("0 1\nLOOPAFTER 0", "-1"),
       "p:4: a profile: it restarts too soon: a round lasts at least 1e-9 s, not 0"},
      {BEGIN CLUSTER "<trace id='t' periodicity='-1' file='f'>0 0.5</trace>" CONNECT("t", "n1.x")
           END,
       "p:3: f: cannot read: No such file"},
      {BEGIN CLUSTER TRACE("t", "0 1") "<trace_connect kind='LATENCY' trace='t' element='l'/>" END,
       "p:3: SimGrid 3.32 connects no <trace> to a link: name a file as its latency_file"},
  };
  check_refusals(rows, COUNT(rows));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(torus_clusters_are_understood),
      IN_FOLDER(quantities_are_read_from_the_file),
      IN_FOLDER(other_platforms_are_opaque),
      IN_FOLDER(other_platforms_are_understood),
      IN_FOLDER(bad_documents_are_refused),
      IN_FOLDER(hostile_documents_are_refused),
      IN_FOLDER(endless_files_are_refused),
      IN_FOLDER(bad_clusters_are_refused),
      IN_FOLDER(bad_shapes_are_refused),
      IN_FOLDER(bad_zones_are_refused),
      IN_FOLDER(loopbacks_of_stars_affect_their_hosts_only),
      IN_FOLDER(speed_traces_scale_their_hosts),
      IN_FOLDER(bad_traces_are_refused),
      IN_FOLDER(profiles_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
