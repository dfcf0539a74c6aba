# A row for each rank, host or link; haichi sets the names of the rows of hosts and links.  $boxes has
# "rank start end state", with start and end in slots of time.
rows = hosts ? 18 * (ranks < 10 ? 10 : ranks < most_names ? ranks : most_names) : \
  ranks < 8 ? 180 : ranks < 64 ? 180 + 4 * (ranks - 8) : 404
height = int(90 + head + rows)
eval begin_picture
# Computation, sleep, waiting hosts and links of low use are pale; higher use of links is darker.  Each
# other state has its own colour.
plain(name) = name eq 'compute' || name eq 'computation' ? 0xc8c8c8 : name eq 'sleep' || name eq 'below 25 %' || hosts && name eq 'wait' ? 0xe8e8e8 : \
  name eq '25-50 %' ? 0xa6cee3 : name eq '50-75 %' ? 0x1f78b4 : name eq 'above 75 %' ? 0xd55e00 : -1
array tint[states]
do for [i=1:states] {
  tint[i] = plain(value(sprintf('key_%d', i)))
  if (tint[i] < 0) { tint[i] = pick(series(i)) }
}
key_symbol(i) = 5
key_colour(i) = tint[i]
eval draw_legend
set tmargin at screen from_top(head + 4)
set lmargin at screen (hosts ? (58 + 0.8 * widest) / width : 0.13)
set rmargin at screen 0.97
set bmargin at screen 70.0 / height
x_title = 'time ('.unit.')'
eval draw_titles
unset grid
set xrange [0:end_s / unit_s]
set yrange [ranks - 0.5:-0.5]
if (hosts) { set ytics font small } else { set ytics 0, ranks <= 8 ? 1 : ceil(ranks / 8.0) }
if (bars) { set style fill solid 1 border rgb '#ffffff' } else { set style fill solid 1 noborder }
bar = ranks <= 32 ? 0.42 : 0.5
slot = slot_s / unit_s
plot for [i=1:states] $boxes \
  using ($4 == i ? ($2 + $3) / 2.0 * slot : NaN):1:($2 * slot):($3 * slot):($1 - bar):($1 + bar) \
  with boxxyerror lw 0.4 lc rgb tint[i]
