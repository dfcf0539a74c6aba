# Time against size, both axes logarithmic.  $series1, $series2, ... and $fastest have "bytes time".
array symbol[6] = [7, 5, 9, 11, 13, 4]
key_symbol(i) = symbol[(series(i) - 1) / 8 % 6 + 1]
key_colour(i) = pick(series(i))
height = 440 + head
eval begin_picture
eval draw_legend
set lmargin at screen 0.17
set rmargin at screen 0.97
set tmargin at screen from_top(head + 8)
set bmargin at screen 72.0 / height
set logscale xy
set xtics ('1 B' 1, '32 B' 32, '1 KiB' 2.**10, '32 KiB' 2.**15, '1 MiB' 2.**20, '32 MiB' 2.**25, '1 GiB' 2.**30)
set format y '%.0e'
x_title = 'size of the '.collective
y_title = 'simulated time, s'
eval draw_titles
plot for [i=1:key_count] sprintf('$series%d', i) using 1:2 with linespoints \
    pt key_symbol(i) ps 0.5 * point lw 1.2 lc rgb key_colour(i), \
  $fastest using 1:2 with points pt 6 ps 1.3 * point lw 1.6 lc rgb '#000000'
