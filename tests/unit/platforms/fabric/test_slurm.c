#include "tests/unit/platforms/fabric/fabric_case.h"

/* A regular tree: 2 switches of 2 switches of 3 hosts. */
#define TREE                                                                                       \
  "SwitchName=root Switches=top[0-1]\n"                                                            \
  "SwitchName=top0 Switches=leaf[0-1]\nSwitchName=top1 Switches=leaf[2-3]\n"                       \
  "SwitchName=leaf0 Nodes=n[00-02]\nSwitchName=leaf1 Nodes=n[03-05]\n"                             \
  "SwitchName=leaf2 Nodes=n[06-08]\nSwitchName=leaf3 Nodes=n[09-11]\n"

static void a_regular_tree_has_the_routes_of_a_fat_tree(void **state)
{
  (void)state;
  static const struct {
    const char *slurm, *fattree;
  } rows[] = {
      {"slurm:t", "fattree:down=3x2x2,up=1x1x1,cables=1x3x6"},
      {"slurm:t,cables=1+2+5", "fattree:down=3x2x2,up=1x1x1,cables=1x2x5"},
      {"slurm:t,cables=2+1", "fattree:down=3x2x2,up=1x1x1,cables=2x1x2"},
  };
  scratch_write("t", TREE);
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p = opened_platform(rows[i].slurm), *q = opened_platform(rows[i].fattree);
    const struct topology *t = platform_topology(p), *u = platform_topology(q);
    uint32_t *to = calloc(topology_link_ids(u), sizeof *to);
    assert_non_null(to);
    assert_int_equal(topology_hosts(t), 12);
    assert_int_equal(topology_links(t), topology_links(u));
    check_hops(p);
    /* Both topologies choose the same way up but number the links differently: to[] maps the
     * numbers of u to the numbers of t, plus 1; 0: not yet seen.  The way down is the way up of the
     * opposite route. */
    for (uint32_t a = 0; a < 12; a++)
      for (uint32_t b = 0; b < 12; b++) {
        uint32_t x[6], y[6], back[6];
        const uint32_t n = topology_route(t, a, b, x);
        assert_int_equal(n, topology_route(u, a, b, y));
        assert_int_equal(n, topology_route(t, b, a, back));
        for (uint32_t k = 0; k < n; k++)
          assert_int_equal(x[k], back[n - 1 - k] ^ 1);
        for (uint32_t k = 0; k < n / 2; k++) {
          assert_true(to[y[k]] == 0 || to[y[k]] == x[k] + 1);
          to[y[k]] = x[k] + 1;
        }
      }
    assert_int_equal(count_groups(p), 4);
    free(to);
    platform_free(p);
    platform_free(q);
  }
}

static void parallel_cables_are_chosen_by_number(void **state)
{
  (void)state;
  scratch_write("t", TREE);
  struct platform *p = opened_platform("slurm:t,cables=1+2+2,bandwidth=1GBps+2GBps");
  uint32_t host;
  check_route(p, "n01", "n07",
              "n01:0_UP leaf0:1_UP top0:1_UP top1:1_DOWN leaf2:1_DOWN n07:0_DOWN ");
  check_route(p, "n01", "n04", "n01:0_UP leaf0:0_UP leaf1:1_DOWN n04:0_DOWN ");
  check_route(p, "n01", "n02", "n01:0_UP n02:0_DOWN ");
  assert_false(platform_find_host(p, "leaf0", &host) || platform_find_host(p, "node-0", &host));
  for (uint32_t l = 0; l < 2 * 24; l++) {
    char name[PLATFORM_NAME_SIZE];
    const struct platform_link link = platform_link(p, l);
    platform_link_name(p, l, name, sizeof name);
    assert_true(link.latency_s == platform_latency(p));
    assert_true(link.bandwidth == (name[0] == 'n' ? 1e9 : name[0] == 'l' ? 2e9 : 1.25e9));
  }
  platform_free(p);
}

static void scontrol_and_other_forms_are_read(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    uint32_t hosts, links, diameter;
  } rows[] = {
      {"SwitchName=s Level=0 LinkSpeed=1 Nodes=a,b\n", 2, 4, 2},
      {"# a comment\n\nswitchname=s nodes=a # and another\n", 1, 2, 0},
      {"SwitchName=r \\\n  Switches=s,\\\nt\nSwitchName=s Nodes=a\nSwitchName=t Nodes=b\n", 2, 8,
       4},
      {"SwitchName=s Level=0 LinkSpeed=1 Nodes=a\n"
       "SwitchName=r Level=1 LinkSpeed=1 Nodes=a,b Switches=s,t\nSwitchName=t Nodes=b\n",
       2, 8, 4},
      {"SwitchName=r Switches=s,t\nSwitchName=s Switches=u\nSwitchName=u Nodes=a\n"
       "SwitchName=t Nodes=b\n",
       2, 10, 5},
      {"BlockName=b0 Nodes=n[0-3]\nBlockName=b1 Nodes=n[4-7]\nBlockSizes=4\n", 8, 32, 4},
      {"BlockName=b[1 Nodes=n\n", 0, 0, 0},
      {"BlockName=b0 Nodes=n[0-1]\nBlockName=b1 Nodes=n[2-3]\nBlockName=b2 Nodes=n[4-5]\n"
       "BlockSizes=2,4\n",
       6, 36, 6},
      {"BlockName=b0 BlockIndex=0 Nodes=n[0-1] BlockSize=2\n"
       "BlockName=b1 BlockIndex=1 Nodes=n[2-3] BlockSize=2\n"
       "BlockName=b2 BlockIndex=2 Nodes=n[4-5] BlockSize=2\n"
       "AggregatedBlock=b[0-1] BlockIndex=3 Nodes=n[0-3] BlockSize=4\n",
       6, 36, 6},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    scratch_write("t", rows[i].text);
    if (rows[i].hosts == 0) {
      must_refuse(
          "slurm:t",
          "t:1: 'b[1' is not the name of a switch: 1 to 127 characters of ASCII, no brackets");
      continue;
    }
    struct platform *p = opened_platform("slurm:t");
    const struct topology *t = platform_topology(p);
    assert_int_equal(topology_hosts(t), rows[i].hosts);
    assert_int_equal(topology_links(t), rows[i].links);
    assert_int_equal(topology_diameter(t), rows[i].diameter);
    check_hops(p);
    platform_free(p);
  }
}

/* The platform of file t with one cable for each node, for any number of levels. */
static struct platform *open_tree(void)
{
  static const char *const SPECS[] = {"slurm:t,cables=1+1+1+1", "slurm:t,cables=1+1+1",
                                      "slurm:t,cables=1+1", "slurm:t,cables=1"};
  struct platform *p = NULL;
  struct err e;
  for (size_t i = 0; i < COUNT(SPECS) && p == NULL; i++)
    if (platform_from_spec(&p, SPECS[i], NULL, &e) != OK)
      assert_non_null(strstr(e.text, " of cables"));
  assert_non_null(p);
  return p;
}

/* Irregular files: switches that become one, roots that are joined, nodes beside switches, switches
 * without nodes.  Each has the hops between hosts 0 and 1, and between host 0 and the last. */
static void irregular_trees_are_read(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    uint32_t hosts, links, near, far;
  } rows[] = {
      {"SwitchName=s Nodes=a[0-1]\nSwitchName=t Nodes=b\n", 3, 10, 2, 4},
      {"SwitchName=core Switches=leaf\nSwitchName=leaf Nodes=a[0-1]\nSwitchName=no Nodes=b\n", 3,
       12, 2, 5},
      {"SwitchName=spine0 Switches=leaf[0-1]\nSwitchName=spine1 Switches=leaf[0-1]\n"
       "SwitchName=leaf0 Nodes=a[0-1]\nSwitchName=leaf1 Nodes=a[2-3]\n",
       4, 12, 2, 4},
      {"SwitchName=root Switches=s[0-2]\nSwitchName=s0 Switches=t0\nSwitchName=s1 Switches=t1\n"
       "SwitchName=s2 Switches=t0\nSwitchName=t0 Nodes=a[0-1]\nSwitchName=t1 Nodes=b\n",
       3, 14, 2, 6},
      {"SwitchName=a Switches=c\nSwitchName=b Switches=c\nSwitchName=c Nodes=n[0-1]\n"
       "SwitchName=x Switches=a\nSwitchName=y Switches=b,d\nSwitchName=d Nodes=o\n",
       3, 12, 2, 5},
      {"SwitchName=s Nodes=a[0-3] Switches=t\nSwitchName=t Nodes=a[0-2] Switches=u\n"
       "SwitchName=u Nodes=a[0-1]\n",
       4, 12, 2, 4},
      {"AllowEmptySwitch=yes\nSwitchName=s Switches=t,u\nSwitchName=t Nodes=a[0-1]\nSwitchName=u\n",
       2, 8, 2, 2},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    scratch_write("t", rows[i].text);
    struct platform *p = open_tree();
    const struct topology *t = platform_topology(p);
    assert_int_equal(topology_hosts(t), rows[i].hosts);
    assert_int_equal(topology_links(t), rows[i].links);
    assert_int_equal(topology_hops(t, 0, 1), rows[i].near);
    assert_int_equal(topology_hops(t, 0, rows[i].hosts - 1), rows[i].far);
    check_hops(p);
    platform_free(p);
  }
}

static void bad_files_are_refused_with_the_line(void **state)
{
  (void)state;
  static const struct {
    const char *text, *sentence;
  } rows[] = {
      {"", "t:1: no switches and no blocks"},
      {"SwitchName\n", "t:1: 'SwitchName' is not PARAMETER=VALUE"},
      {"\nSwitchName=s Ports=3\n", "t:2: unknown parameter 'Ports'"},
      {"SwitchName=s Nodes=a Nodes=b\n", "t:1: a second Nodes on the line"},
      {"Nodes=a\n", "t:1: neither SwitchName nor BlockName nor BlockSizes"},
      {"SwitchName=s\n", "t: no nodes"},
      {"SwitchName=s LinkSpeed=1 Nodes=(null)\n", "t: no nodes"},
      {"SwitchName=s Nodes=a[1\n", "t:1: host list 'a[1': expected ',' or ']' after a number"},
      {"SwitchName=s Nodes=a[0-999999999]\n",
       "t:1: host list 'a[0-999999999]': the list has more than 1048576 names"},
      {"SwitchName=s Nodes=a,b,a\n", "t:1: node 'a' is below switch 's' and below 's'"},
      {"SwitchName=r Switches=s,t\nSwitchName=s Nodes=a\nSwitchName=t Nodes=b,a\n",
       "t:3: node 'a' is below switch 's' and below 't'"},
      {"SwitchName=r Switches=s\n", "t:1: no switch 's'"},
      {"SwitchName=s Nodes=a\nSwitchName=s Nodes=b\n", "t:2: a second switch 's'"},
      {"SwitchName=r Switches=s\nSwitchName=s Switches=t\nSwitchName=t Switches=s\n",
       "t:1: switch 'r' is its own ancestor"},
      {"SwitchName=s Switches=t\nSwitchName=t Switches=s\n", "t:1: switch 's' is its own ancestor"},
      {"SwitchName=s Switches=s\n", "t:1: switch 's' is its own ancestor"},
      {"SwitchName=roots Nodes=a\nSwitchName=t Nodes=b\n",
       "t: several roots need a switch 'roots' above them, but a switch of the file has this name"},
      {"SwitchName=s Nodes=a,c Switches=t\nSwitchName=t Nodes=a\nSwitchName=u Nodes=c\n",
       "t:1: node 'c' is below switch 'u', which is not below 's'"},
      {"SwitchName=s Nodes=s\n", "t: two hosts or switches are named 's'"},
      {"SwitchName=s Nodes=a BlockSize=3\n", "t:1: BlockSize on the line of a switch"},
      {"BlockName=b Nodes=a\nSwitchName=s Nodes=c\n", "t:2: switch 's' in a file with blocks"},
      {"SwitchName=s Nodes=c\nBlockName=b Nodes=a\n", "t:2: block 'b' in a file with switches"},
      {"BlockName=b\n", "t:1: block 'b' has no nodes"},
      {"BlockSizes=0\n", "t:1: blocks of 0 nodes"},
      {"BlockSizes=two\n", "t:1: size of blocks: 'two' is not a whole number"},
      {"BlockName=b Nodes=a\nBlockName=c Nodes=d\nBlockSizes=2,3\n",
       "t: blocks of 3 nodes do not consist of blocks of 2"},
      {"SwitchName=s Nodes=,\n", "t: no nodes"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    scratch_write("t", rows[i].text);
    must_refuse("slurm:t", rows[i].sentence);
  }
  must_refuse("slurm:none", "none: cannot read: No such file or directory");
  scratch_write("t", "SwitchName=s Nodes=a\n");
  must_refuse("slurm:t,cables=0",
              "topology 'slurm:t,cables=0': cables: 0 is below the minimum of 1");
  must_refuse("slurm:t,bandwidth=3GB/s",
              "topology 'slurm:t,bandwidth=3GB/s': bandwidth: '3GB/s' is "
              "not a bandwidth (as 1.25GBps), perhaps '3GBps'");
  must_refuse("slurm:t,bandwidth=3GBps+",
              "topology 'slurm:t,bandwidth=3GBps+': bandwidth: '' is not a bandwidth (as "
              "1.25GBps)");
}

static void deep_trees_are_refused(void **state)
{
  (void)state;
  FILE *f = fopen("t", "w");
  assert_non_null(f);
  for (int i = 0; i < 66; i++)
    fprintf(f, "SwitchName=s%d Switches=s%d\n", i, i + 1);
  fputs("SwitchName=s66 Nodes=a\n", f);
  fclose(f);
  must_refuse("slurm:t", "t:66: switch 's65' is below more than 64 others");
}

static void names_replace_the_names_of_hosts(void **state)
{
  (void)state;
  char name[PLATFORM_NAME_SIZE];
  uint32_t host;
  struct platform *p = opened_platform("torus:2x2,names=nid[08-10],login1");
  assert_string_equal(platform_name(p), "torus:2x2,names=nid[08-10],login1");
  assert_string_equal(platform_host_name(p, 1, name, sizeof name), "nid09");
  assert_string_equal(platform_simgrid_host(p, 1, name, sizeof name), "node-1");
  assert_true(platform_find_host(p, "login1", &host) && host == 3);
  assert_false(platform_find_host(p, "node-3", &host));
  platform_free(p);
  scratch_write("n", "# names\na b\n\nc[1-2] # two\n");
  p = opened_platform("mesh:2x2,names=@n");
  assert_string_equal(platform_host_name(p, 3, name, sizeof name), "c2");
  assert_string_equal(platform_file(p, 0), "n");
  platform_free(p);
  must_refuse("torus:2x2,names=a[1-3]", "names: 3 names for 4 hosts");
  must_refuse("torus:2,names=a,a", "names: two hosts are named 'a'");
  must_refuse("torus:2,names=a[1", "names: host list 'a[1': expected ',' or ']' after a number");
  must_refuse("torus:3,names=@n", "n: 4 names for 3 hosts");
  scratch_write("n", "a\nb[\n");
  must_refuse("torus:3,names=@n",
              "n:2: host list 'b[': a bracket has numbers and ranges such as [0-3,7]");
}

static void names_survive_a_platform_file(void **state)
{
  (void)state;
  static const char *const specs[] = {"torus:2x2,names=nid[08-11]", "star:4,names=@n",
                                      "random-clusters:hosts=4,sizes=2,names=nid[08-11]"};
  scratch_write("n", "nid[08-11]\n");
  for (size_t i = 0; i < COUNT(specs); i++) {
    struct err e;
    char name[PLATFORM_NAME_SIZE];
    struct platform *p = opened_platform(specs[i]), *q;
    assert_int_equal(platform_save(p, "p.xml", &e), OK);
    assert_int_equal(platform_load(&q, "p.xml", &e), OK);
    assert_string_equal(platform_host_name(q, 3, name, sizeof name), "nid11");
    platform_free(q);
    assert_int_equal(platform_load(&q, "p.xml,names=w,x,y,z", &e), OK);
    assert_string_equal(platform_host_name(q, 3, name, sizeof name), "z");
    assert_string_equal(platform_path(q), "p.xml");
    platform_free(q);
    assert_int_equal(platform_load(&q, "p.xml,names=w", &e), FAIL);
    assert_string_equal(e.text, "names: 1 name for 4 hosts");
    platform_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(a_regular_tree_has_the_routes_of_a_fat_tree),
      IN_FOLDER(parallel_cables_are_chosen_by_number),
      IN_FOLDER(scontrol_and_other_forms_are_read),
      IN_FOLDER(irregular_trees_are_read),
      IN_FOLDER(bad_files_are_refused_with_the_line),
      IN_FOLDER(deep_trees_are_refused),
      IN_FOLDER(names_replace_the_names_of_hosts),
      IN_FOLDER(names_survive_a_platform_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
