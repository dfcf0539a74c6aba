# A row a rank: $boxes has "rank start end state", in slots of time.
height = 90 + head + (ranks < 8 ? 180 : ranks < 64 ? 180 + 4 * (ranks - 8) : 404)
eval begin_picture
# Computing and sleeping are pale, and hosts that wait; the others have a colour each.
plain(name) = name eq 'compute' ? 0xc8c8c8 : name eq 'sleep' || hosts && name eq 'wait' ? 0xe8e8e8 : -1
array tint[states]
do for [i=1:states] {
  tint[i] = plain(value(sprintf('key_%d', i)))
  if (tint[i] < 0) { tint[i] = pick(series(i)) }
}
key_symbol(i) = 5
key_colour(i) = tint[i]
eval draw_legend
set tmargin at screen from_top(head + 4)
set lmargin at screen 0.13
set rmargin at screen 0.97
set bmargin at screen 70.0 / height
x_title = 'time ('.unit.')'
eval draw_titles
unset grid
set xrange [0:end_s / unit_s]
set yrange [ranks - 0.5:-0.5]
set ytics 0, ranks <= 8 ? 1 : ceil(ranks / 8.0)
set style fill solid 1 noborder
bar = ranks <= 32 ? 0.42 : 0.5
slot = slot_s / unit_s
plot for [i=1:states] $boxes \
  using ($4 == i ? ($2 + $3) / 2.0 * slot : NaN):1:($2 * slot):($3 * slot):($1 - bar):($1 + bar) \
  with boxxyerror lc rgb tint[i]
