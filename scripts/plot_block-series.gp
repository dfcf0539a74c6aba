# $series1 ... $series4 have "execution seconds".
key_symbol(i) = 7
key_colour(i) = pick(series(i))
height = 400 + head
eval begin_picture
eval draw_legend
set xlabel 'execution'
set ylabel 'seconds'
set lmargin at screen 0.17
set tmargin at screen from_top(head + 8)
set yrange [0:*]
set format y '%.2g'
$empty << EOD
EOD
plot for [i=1:key_count] sprintf('$series%d', i) using 1:2 with linespoints pt 7 ps 0.5 * point lc rgb key_colour(i)
