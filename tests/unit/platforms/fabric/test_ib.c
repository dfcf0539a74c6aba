#include <stdbool.h>
#include <stdint.h>

#include "tests/unit/platforms/fabric/fabric_case.h"

/* A network as it is written to a file: nodes and cables. */
struct net {
  struct end {
    char kind; /* of the node: S or H */
    uint32_t node, port;
  } cable[256][2];
  uint32_t cables, switches, hosts;
  bool used[2][64][64]; /* by kind, node and port */
};

/* Joins the next free ports of two nodes. */
static void join(struct net *n, char a, uint32_t x, char b, uint32_t y)
{
  const char kind[2] = {a, b};
  const uint32_t node[2] = {x, y};
  for (int k = 0; k < 2; k++) {
    uint32_t port = 1;
    bool *used = n->used[kind[k] == 'H'][node[k]];
    while (used[port])
      port++;
    used[port] = true;
    n->cable[n->cables][k] = (struct end){kind[k], node[k], port};
  }
  n->cables++;
}

static void write_ports(const struct net *n, FILE *f, char kind, uint32_t node)
{
  for (uint32_t c = 0; c < n->cables; c++)
    for (int k = 0; k < 2; k++) {
      const struct end *a = &n->cable[c][k], *b = &n->cable[c][!k];
      if (a->kind != kind || a->node != node)
        continue;
      fprintf(f, "[%u]%s\t\"%c-%016x\"[%u]\t\t# ", a->port, kind == 'H' ? "(1a2b)" : "", b->kind,
              b->node, b->port);
      if (kind == 'H')
        fprintf(f, "lid %u lmc 0 \"a switch\" lid %u 4xHDR\n", node + 1, b->node + 1001);
      else
        fprintf(f, "\"%s\" lid 9 4xHDR\n", b->kind == 'H' ? "h HCA-1" : "a switch");
    }
}

static void write_net(const struct net *n, const char *path)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs("#\n# Topology file: generated\n#\n", f);
  for (uint32_t s = 0; s < n->switches; s++) {
    fprintf(f, "\nvendid=0x2c9\ndevid=0xbd36\nsysimgguid=0x1\nswitchguid=0x%x(%x)\n", s, s);
    fprintf(f, "Switch\t40 \"S-%016x\"\t\t# \"a switch\" enhanced port 0 lid %u lmc 0\n", s,
            s + 1001);
    write_ports(n, f, 'S', s);
  }
  for (uint32_t h = 0; h < n->hosts; h++) {
    fprintf(f, "\nvendid=0x2c9\ndevid=0x1003\nsysimgguid=0x2\ncaguid=0x%x\n", h);
    fprintf(f, "Ca\t1 \"H-%016x\"\t\t# \"h%02u HCA-1\"\n", h, h);
    write_ports(n, f, 'H', h);
  }
  fclose(f);
}

/* Four leaf switches (0..3) of three hosts, two spines (4, 5), two cables between each two. */
static void write_tree(const char *path)
{
  static struct net n;
  n = (struct net){.switches = 6, .hosts = 12};
  for (uint32_t h = 0; h < 12; h++)
    join(&n, 'H', h, 'S', h / 3);
  for (uint32_t leaf = 0; leaf < 4; leaf++)
    for (uint32_t k = 0; k < 4; k++)
      join(&n, 'S', leaf, 'S', 4 + k % 2);
  write_net(&n, path);
}

/* A ring of five switches with a host each. */
static void write_ring(const char *path)
{
  static struct net n;
  n = (struct net){.switches = 5, .hosts = 5};
  for (uint32_t s = 0; s < 5; s++)
    join(&n, 'H', s, 'S', s);
  for (uint32_t s = 0; s < 5; s++)
    join(&n, 'S', s, 'S', (s + 1) % 5);
  write_net(&n, path);
}

/* Number of hosts whose routes from host 0 of the tree use each cable upwards of leaf 0. */
static void a_tree_spreads_its_routes(void **state)
{
  (void)state;
  write_tree("t");
  struct platform *p = opened_platform("ib:t");
  const struct topology *t = platform_topology(p);
  uint32_t use[12 + 16] = {0};
  assert_int_equal(topology_hosts(t), 12);
  assert_int_equal(topology_links(t), 2 * (12 + 16));
  assert_int_equal(topology_diameter(t), 4);
  check_hops(p);
  assert_int_equal(count_groups(p), 4);
  for (uint32_t b = 3; b < 12; b++) {
    uint32_t links[4];
    assert_int_equal(topology_route(t, 0, b, links), 4);
    assert_true(links[1] % 2 == 0 && links[2] % 2 == 1);
    use[links[1] / 2]++;
  }
  for (uint32_t c = 12; c < 16; c++)
    assert_in_range(use[c], 2, 3); /* 9 hosts on 4 cables */
  for (uint32_t l = 0; l < topology_links(t); l++)
    assert_true(platform_link(p, l).bandwidth == 25e9);
  check_route(p, "h00", "h02", "h00:0_UP h02:0_DOWN ");
  platform_free(p);
}

static void up_down_routes_never_go_up_again(void **state)
{
  (void)state;
  write_ring("t");
  struct platform *p = opened_platform("ib:t"), *q = opened_platform("ib:t,routing=updown");
  check_hops(p);
  check_hops(q);
  assert_int_equal(topology_diameter(platform_topology(p)), 4); /* half around */
  assert_int_equal(topology_diameter(platform_topology(q)), 5); /* never from 1 over 0 to 4 */
  check_route(p, "h03", "h00",
              "h03:0_UP S-0000000000000003:3_UP S-0000000000000000:3_DOWN "
              "h00:0_DOWN ");
  for (uint32_t a = 0; a < 5; a++)
    for (uint32_t b = 0; b < 5; b++) {
      uint32_t links[8];
      const uint32_t n = topology_route(platform_topology(q), a, b, links);
      bool down = false;
      for (uint32_t i = 1; i + 1 < n; i++) { /* the first end of a cable is the lower one */
        assert_false(down && links[i] % 2 == 0);
        down = down || links[i] % 2 == 1;
      }
    }
  platform_free(p);
  platform_free(q);
}

/* Forwarding tables that send all messages around the ring in ascending order of the switches.  @p
 * missing: 10 * switch + host of an entry that is left out. */
static void write_tables(const char *path, uint32_t missing)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  for (uint32_t s = 0; s < 5; s++) {
    fprintf(f, "Unicast lids [0x1-0x5] of switch Lid %u guid 0x%016x (a switch):\n", s + 1001, s);
    fputs("  Lid  Out   Destination\n       Port     Info \n", f);
    for (uint32_t h = 0; h < 5; h++)
      if (10 * s + h != missing)
        fprintf(f, "0x%04x %03u : (Channel Adapter portguid 0x%x: 'h%02u HCA-1')\n", h + 1,
                h == s   ? 1u
                : s == 0 ? 2u
                         : 3u,
                h, h);
    fputs("0x03e9 000 : (Switch portguid 0x0: 'a switch')\n6 valid lids dumped \n", f);
  }
  fputs("Multicast mlids [0xc000-0xcfff] of switch Lid 1001 guid 0x0 (a switch):\n"
        "            0\n     Ports: 0\n MLid\n0xc000      x\n1 valid mlids dumped\n",
        f);
  fclose(f);
}

static void forwarding_tables_are_followed(void **state)
{
  (void)state;
  write_ring("t");
  write_tables("l", UINT32_MAX);
  struct platform *p = opened_platform("ib:t,lft=l");
  const struct topology *t = platform_topology(p);
  assert_string_equal(topology_spec(t), "ib:t,lft=l");
  assert_string_equal(platform_file(p, 0), "t");
  assert_string_equal(platform_file(p, 1), "l");
  check_hops(p);
  for (uint32_t a = 0; a < 5; a++)
    for (uint32_t b = 0; b < 5; b++)
      if (a != b)
        assert_int_equal(topology_hops(t, a, b), 2 + (b + 5 - a) % 5);
  platform_free(p);
  write_tables("l", 21);
  must_refuse("ib:t,lft=l", "l: no route leads from switch 'S-0000000000000002' to host "
                            "'h01': no port at 'S-0000000000000002'");
}

#define SWITCH(ID)   "Switch\t4 \"S-" ID "\"\t# \"sw\" base port 0 lid 7 lmc 0\n"
#define CA(ID, NAME) "Ca\t2 \"H-" ID "\"\t# \"" NAME "\"\n"

#define PEER(PORT, ID, AT, TEXT)       "[" PORT "]\t\"" ID "\"[" AT "]\t# " TEXT "\n"
#define TO_S(PORT, ID, AT, LID, SPEED) PEER(PORT, ID, AT, "lid " LID " lmc 0 \"sw\" lid 7 " SPEED)

static const char ADAPTERS[] = "Chassis 1 (guid 0x1)\n" SWITCH(
    "1") "[1][ext 5]\t\"H-a\"[1](a1)\t# \"n2 HCA-1\" lid 1 4xSDR\n" PEER("2", "H-b", "1",
                                                                         "\"n2 HCA-2\" lid 2 "
                                                                         "12xFDR")
    PEER("3", "H-c", "1", "\"MT23108 InfiniHost Mellanox\" lid 3 1xQDR") PEER(
        "4", "H-d", "1", "\"n10\" lid 4") PEER("5", "S-2", "5", "\"sw\" lid 7 2xEDR") SWITCH("2")
        PEER("1", "H-e", "2", "\"n2 HCA-1\" lid 5 4xFDR10") PEER("2", "R-f", "1",
                                                                 "\"router\" lid 6 4xEDR")
            PEER("3", "H-g", "1", "\"Mellanox Technologies Aggregation Node\" lid 8 4xNDR") PEER(
                "4", "S-3", "1", "\"sw\" lid 7 4xHDR") PEER("5", "S-1", "5", "\"sw\" lid 7 2xEDR")
                SWITCH("3") PEER("1", "S-2", "4", "\"sw\" lid 7 4xHDR")
                    PEER("2", "H-b", "2", "\"n2 HCA-2\" lid 9 4xHDR") CA(
                        "a",
                        "n2 HCA-1") "[1](a1)\t\"S-1\"[1][ext 5]\t# lid 1 lmc 0 \"sw\" lid 7 "
                                    "4xSDR\n" CA("b", "n2 HCA-2") TO_S("1", "S-1", "2", "2",
                                                                       "12xFDR")
                                        TO_S("2", "S-3", "2", "9",
                                             "4xHDR") CA("c", "MT23108 InfiniHost Mellanox")
                                            TO_S("1", "S-1", "3", "3", "1xQDR") CA("d", "n10")
                                                TO_S("1", "S-1", "4", "4", "") CA("e", "n2 HCA-1")
                                                    TO_S("2", "S-2", "1", "5", "4xFDR10")
                                                        CA("g",
                                                           "Mellanox Technologies Aggregation Node")
                                                            TO_S("1", "S-2", "3", "8",
                                                                 "4xNDR") "Rt\t1 \"R-f\"\t# "
                                                                          "\"router\"\n" TO_S(
                                                                              "1", "S-2", "2", "6",
                                                                              "4xEDR");

static void hosts_have_the_names_of_their_adapters(void **state)
{
  (void)state;
  static const char *const names[] = {"H-c", "H-e", "n2", "n10"};
  static const struct {
    const char *name;
    double bandwidth_Bps;
  } links[] = {{"n2:0_UP", 1e9},     {"n2:1_DOWN", 12 * 150e9 / 11 / 8},
               {"n2:2_UP", 25e9},    {"H-c:0_UP", 1e9},
               {"n10:0_UP", 1.25e9}, {"H-e:0_DOWN", 5e9},
               {"S-1:5_UP", 6.25e9}, {"S-2:4_DOWN", 25e9}};
  scratch_write("t", ADAPTERS);
  struct platform *p = opened_platform("ib:t");
  char name[PLATFORM_NAME_SIZE];
  size_t found = 0;
  assert_int_equal(platform_hosts(p), COUNT(names));
  for (uint32_t h = 0; h < COUNT(names); h++)
    assert_string_equal(platform_host_name(p, h, name, sizeof name), names[h]);
  for (size_t i = 0; i < COUNT(links); i++)
    for (uint32_t l = 0; l < topology_link_ids(platform_topology(p)); l++)
      if (strcmp(platform_link_name(p, l, name, sizeof name), links[i].name) == 0) {
        assert_float_equal(platform_link(p, l).bandwidth / links[i].bandwidth_Bps, 1, 1e-6);
        found++;
      }
  assert_int_equal(found, COUNT(links));
  check_hops(p);
  platform_free(p);
}

static void both_ends_choose_the_same_rail(void **state)
{
  (void)state;
  static struct net n;
  n = (struct net){.switches = 3, .hosts = 4};
  for (uint32_t h = 0; h < 4; h++)
    for (uint32_t rail = 0; rail < 2; rail++)
      join(&n, 'H', h, 'S', rail);
  join(&n, 'S', 0, 'S', 2);
  join(&n, 'S', 1, 'S', 2);
  write_net(&n, "t");
  struct platform *p = opened_platform("ib:t");
  check_hops(p);
  check_route(p, "h00", "h01", "h00:1_UP h01:1_DOWN ");
  check_route(p, "h01", "h03", "h01:0_UP h03:0_DOWN ");
  assert_int_equal(count_groups(p), 4);
  platform_free(p);
}

/* Up/down routes need not exist from a switch without hosts: the cable from spine 4 to leaf 2 is
 * absent.  Without spine 3, leaves 0 and 2 have no route. */
static void spines_need_no_routes(void **state)
{
  (void)state;
  for (int whole = 1; whole >= 0; whole--) {
    static struct net n;
    n = (struct net){.switches = 5, .hosts = 3};
    for (uint32_t leaf = 0; leaf < 3; leaf++) {
      join(&n, 'H', leaf, 'S', leaf);
      if (whole || leaf != 0)
        join(&n, 'S', leaf, 'S', 3);
      if (leaf < 2)
        join(&n, 'S', leaf, 'S', 4);
    }
    write_net(&n, "t");
    if (!whole) {
      must_refuse("ib:t,routing=updown", "t: no route leads from switch 'S-0000000000000000' to "
                                         "host 'h02': no port at 'S-0000000000000000'");
      continue;
    }
    struct platform *p = opened_platform("ib:t,routing=updown");
    check_hops(p);
    assert_int_equal(topology_hops(platform_topology(p), 0, 2), 4);
    platform_free(p);
  }
}

static void bad_files_are_refused_with_the_line(void **state)
{
  (void)state;
  static const struct {
    const char *text, *sentence;
  } rows[] = {
      {"", "t: no nodes"},
      {"Swich 3\n", "t:1: 'Swich 3' is no line of ibnetdiscover"},
      {"[1]\t\"S-1\"[1]\n", "t:1: a port before the first node"},
      {"Switch many \"S-1\"\n", "t:1: expected the number of ports, at most 254"},
      {"Switch 4 S-1\n", "t:1: expected an id in quotes at 'S-1'"},
      {"Switch 4 \"S-1\n", "t:1: expected an id in quotes at '\"S-1'"},
      {SWITCH("1") SWITCH("1"), "t:2: a second node 'S-1'"},
      {SWITCH("1") "[300]\t\"H-a\"[1]\n", "t:2: port: 300 is above the maximum of 254"},
      {SWITCH("1") "[3\n", "t:2: port: no ']' after '3'"},
      {SWITCH("1") "[3]\n", "t:2: expected an id in quotes at ''"},
      {SWITCH("1") "[3]\t\"H-a\"\n", "t:2: no port of 'H-a'"},
      {SWITCH("1") "[3]\t\"H-a\"[1]\n[3]\t\"H-b\"[1]\n", "t:3: a second cable at port 3 of 'S-1'"},
      {SWITCH("1") "[3]\t\"H-a\"[1]\n", "t:2: no node 'H-a' in the file"},
      {SWITCH("1") "[3]\t\"H-a\"[1]\n" CA("a", "n"), "t:2: port 1 of 'H-a' does not lead back"},
      {SWITCH("1") "[3]\t\"H-a\"[1]\t# \"n\" lid 1 4xLDR\n",
       "t:2: '4xLDR' is not the width and speed of a cable, as 4xHDR"},
      {SWITCH("1") "[3]\t\"S-1\"[4]\n[4]\t\"S-1\"[3]\n", "t: no adapters of hosts"},
      {CA("a", "n") "[1](1)\t\"H-b\"[1]\t# lid 1 lmc 0 \"m\" lid 2 4xHDR\n" CA(
           "b", "m") "[1](2)\t\"H-a\"[1]\t# lid 2 lmc 0 \"n\" lid 1 4xHDR\n",
       "t:2: a cable from adapter 'H-a' to adapter 'H-b'"},
      {CA("a", "n"), "t: host 'n' has no cable to a switch"},
      {CA("a", "n") "[1](1)\t\"S-1\"[1]\t# lid 70000 lmc 0 \"sw\" lid 2 4xHDR\n",
       "t:2: lid: 70000 is above the maximum of 49151"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    scratch_write("t", rows[i].text);
    must_refuse("ib:t", rows[i].sentence);
  }
}

static void bad_tables_are_refused_with_the_line(void **state)
{
  (void)state;
#define TABLE "Unicast lids [0x1-0x5] of switch Lid 1001 guid 0x0000000000000000 (a switch):\n"
  static const struct {
    const char *text, *sentence;
  } rows[] = {
      {"0x0001 001\n", "l:1: a lid before the first switch"},
      {"Unicast lids of nothing\n", "l:1: no guid of a switch in 'Unicast lids of nothing'"},
      {"Unicast lids guid 0x77\n", "l:1: no switch 'S-0000000000000077' in t"},
      {TABLE TABLE, "l:2: a second table of switch 'S-0000000000000000'"},
      {TABLE "0x0002\n", "l:2: lid 0x0002 has no port of at most 255"},
      {TABLE "0x 3\n", "l:2: '0x' is no lid"},
      {TABLE "0x12345 003\n", "l:2: '0x12345' is no lid"},
      {TABLE "0x0002 009 : (...)\n",
       "l:2: port 9 of switch 'S-0000000000000000' leads to no other switch, but has lid 0x0002"},
      {TABLE "lid 3\n", "l:2: 'lid 3' is no line of ibroute"},
  };
  write_ring("t");
  for (size_t i = 0; i < COUNT(rows); i++) {
    scratch_write("l", rows[i].text);
    must_refuse("ib:t,lft=l", rows[i].sentence);
  }
  must_refuse("ib:t,lft=none", "none: cannot read: No such file or directory");
  must_refuse("ib:t,routing=best", "topology 'ib:t,routing=best': routing: 'best' is none of "
                                   "minhop, updown");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(a_tree_spreads_its_routes),
      IN_FOLDER(up_down_routes_never_go_up_again),
      IN_FOLDER(forwarding_tables_are_followed),
      IN_FOLDER(hosts_have_the_names_of_their_adapters),
      IN_FOLDER(spines_need_no_routes),
      IN_FOLDER(both_ends_choose_the_same_rail),
      IN_FOLDER(bad_files_are_refused_with_the_line),
      IN_FOLDER(bad_tables_are_refused_with_the_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
