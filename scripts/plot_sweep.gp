# Two panels against the number of ranks, predicted time above, efficiency below.  $points has
# "ranks time low high efficiency".
height = 560
eval begin_picture
set multiplot
set logscale x 2
stats $points using 1 nooutput name 'R'
set xrange [R_min / 1.2:R_max * 1.2]
set lmargin at screen 0.16
set rmargin at screen 0.97
set offsets 0, 0, graph 0.1, 0

set tmargin at screen from_top(16)
set bmargin at screen from_top(256)
set yrange [0:*]
set xtics format ''
set label 1 'predicted time, s' at screen 16.0 / width, graph 0.5 center rotate by 90
plot $points using 1:2:3:4 with yerrorlines pt 7 ps 0.8 * point lw 1.6 lc rgb colour[1]

set tmargin at screen from_top(288)
set bmargin at screen from_top(488)
set xtics format '%g'
set label 1 'efficiency, %' at screen 16.0 / width, graph 0.5 center rotate by 90
set label 2 'ranks' at graph 0.5, screen 16.0 / height center
plot $points using 1:5 with linespoints pt 5 ps 0.8 * point lw 1.6 lc rgb colour[2]
unset multiplot
