# What all pictures share.  haichi has gnuplot read its data first (output, format and what the
# template needs), then this file, then plot_KIND.gp, which calls `begin_picture` with `height` set.
#
# The canvas is 640 wide; shown 8.5 cm wide, its letters of 20 are 7.5 pt high.  PNG has twice the
# pixels.
set encoding utf8
width = 640
letter = 10 # about the width of one
line = 24

# Okabe and Ito, Color Universal Design (2008), their black last; yellow is legible on bars only.
array colour[8] = [0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00, 0xf0e442, 0x000000]
# After the eighth they come again, paler.
paler(c) = 127 + (c >> 1 & 0x7f7f7f) & 0xffffff
pick(i) = i <= 8 ? colour[i] : ((colour[(i - 1) % 8 + 1] >> 1) & 0x7f7f7f) + 0x7f7f7f

# Small to large is light to dark, as in print: the reverse of cividis (Nunez, Anderton, Renslow,
# PLoS ONE 13(7), 2018), at nine points.
set palette defined (0 '#fee838', 0.125 '#e1cc55', 0.25 '#c3b369', 0.375 '#a59c74', 0.5 '#8a8678', \
  0.625 '#707173', 0.75 '#575d6d', 0.875 '#35456c', 1 '#00224e')

begin_picture = 'if (format eq "svg") { \
    set terminal svg size width,height font "Helvetica,20" noenhanced linewidth 1.5 \
  } else { \
    set terminal pngcairo size 2*width,2*height font "Helvetica,20" noenhanced fontscale 2 \
      linewidth 3 pointscale 2 \
  }; \
  set output output'

set border 3 lc rgb '#333333'
set tics nomirror out scale 0.6
set grid lc rgb '#dddddd' lw 0.7 lt 1
unset key
