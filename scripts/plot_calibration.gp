# Two panels against the bytes of a message: times above, errors in percent below.  $points has
# "bytes measured low high simulated fitted", times in s; low and high are the quartiles of the
# measured times.  $steps has the bytes at which the factors change.
key_symbol(i) = i == 1 ? 6 : 7
key_colour(i) = pick(series(i))
height = 700 + head
eval begin_picture
set multiplot
eval draw_legend
bytes(b) = b < 1 ? 1 : b # 0 has no logarithm
stats $points using (bytes($1)) nooutput name 'B'
stats $points using 3 nooutput name 'L'
stats $points using 4 nooutput name 'H'
stats $points using 5 nooutput name 'S'
least = S_min < L_min ? S_min : L_min
most = S_max > H_max ? S_max : H_max
off(value, measured) = 100 * (value / measured - 1)
stats $points using (off($3, $2)) nooutput name 'P'
stats $points using (off($4, $2)) nooutput name 'Q'
stats $points using (off($5, $2)) nooutput name 'E'
if (has_steps) {
  stats $steps using 1 nooutput name 'C'
  do for [i=1:C_records] {
    stats $steps using 1 every ::(i-1)::(i-1) nooutput name 'A'
    set arrow 10 + i from first A_min, graph 0 to first A_min, graph 1 nohead dt 2 lc rgb '#888888' lw 0.8 back
  }
}
set logscale x 10
set xrange [B_min / 1.3 : B_max * 1.3]
set lmargin at screen 0.175
set rmargin at screen 0.97
size_name(b) = b >= 1e9 ? sprintf('%.0fG', b / 1e9) : b >= 1e6 ? sprintf('%.0fM', b / 1e6) : \
  b >= 1e3 ? sprintf('%.0fk', b / 1e3) : sprintf('%.0f', b)
time_name(t) = t >= 0.99 ? sprintf('%.0f s', t) : t >= 0.99e-3 ? sprintf('%.0f ms', t * 1e3) : \
  t >= 0.99e-6 ? sprintf('%.0f us', t * 1e6) : sprintf('%.0f ns', t * 1e9)

set logscale y 10
set yrange [least / 1.3 : most * 1.3]
first_decade = int(floor(log10(least / 1.3)))
last_decade = int(ceil(log10(most * 1.3)))
set ytics ()
do for [d=first_decade:last_decade] {
  set ytics add (time_name(10. ** d) 10. ** d)
  if (last_decade - first_decade <= 3) {
    set ytics add (time_name(2 * 10. ** d) 2 * 10. ** d, time_name(5 * 10. ** d) 5 * 10. ** d)
  }
}
set xtics ()
do for [d=0:10] { set xtics add ('' 10. ** d) }
set tmargin at screen from_top(head + 4)
set bmargin at screen from_top(head + 380)
set label 2 'time, one way' at screen 16.0 / width, graph 0.5 center rotate by 90
plot $points using (bytes($1)):2:3:4 with yerrorbars pt 6 ps 0.6 * point lc rgb pick(1) lw 1, \
  $points using (bytes($1)):5 with points pt 7 ps 0.35 * point lc rgb pick(2), \
  $points using (bytes($1)):6 with lines lw 1.6 lc rgb pick(3)
unset label
unset logscale y

# The range of y has all errors.  The bars of the quartiles may end outside of it for a quarter of the
# sizes.
top = 1.1 * (E_max > Q_up_quartile ? E_max : Q_up_quartile)
bottom = 1.1 * (E_min < P_lo_quartile ? E_min : P_lo_quartile)
set yrange [bottom < -0.01 ? bottom : -0.01 : top > 0.01 ? top : 0.01]
set ytics autofreq
set xtics ()
do for [d=0:10] { set xtics add (size_name(10. ** d) 10. ** d) }
set tmargin at screen from_top(head + 400)
set bmargin at screen 70.0 / height
set label 1 'bytes of a message' at graph 0.5, screen 16.0 / height center
set label 2 'error in %' at screen 16.0 / width, graph 0.5 center rotate by 90
set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb '#888888' lw 0.8 back
plot $points using (bytes($1)):(off($3, $2)):(0):(off($4, $2) - off($3, $2)) with vectors nohead lc rgb pick(1) lw 1, \
  $points using (bytes($1)):(off($5, $2)) with points pt 7 ps 0.5 * point lc rgb pick(2), \
  $points using (bytes($1)):(off($6, $2)) with lines lw 1.2 lc rgb pick(3)
unset multiplot
