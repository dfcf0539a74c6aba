# $within, $between and $tree have connections, "x y dx dy"; $processes has "x y" of the processes, on a
# circle of radius 1.  Cluster i, from 1 to `clusters`, has name[i] at angle[i].
key_symbol(i) = 5
key_colour(i) = pick(series(i))
height = 630 + head
eval begin_picture
eval draw_legend
unset border
unset tics
unset grid
set size ratio -1
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen from_top(head)
set bmargin at screen 10.0 / height
set xrange [-1.13:1.13]
set yrange [-1.13:1.13]
do for [i=1:clusters] {
  set label i name[i] at 1.07 * cos(angle[i]), 1.07 * sin(angle[i]) center rotate by 0
}
thin = 0.4
plot $within using 1:2:3:4 with vectors nohead lw thin lc rgb pick(1), \
  $between using 1:2:3:4 with vectors nohead lw thin lc rgb pick(2), \
  $tree using 1:2:3:4 with vectors nohead lw 0.8 lc rgb pick(7), \
  $processes using 1:2 with points pt 7 ps 0.3 * point lc rgb '#333333'
