# Completion of haichi's words for bash, and for zsh through bashcompinit.  What there is, haichi
# itself is asked: its commands, options, mappers and topologies are written down nowhere else.

# _haichi_names LIST: the names that `haichi list LIST` begins its lines with
_haichi_names()
{
  haichi list "$1" 2>/dev/null | cut -f 1 | grep -v ':.*=' | sed 's/:.*/:/'
}

# _haichi_options COMMAND...: the options that its --help shows
_haichi_options()
{
  haichi "$@" --help 2>/dev/null | grep -E '^ +-' | grep -oE -e '(^|[ ,])-(-[a-z][a-z-]*|[A-Za-z])' |
    tr -d ' ,' | sort -u
}

# _haichi_values OPTION: what may follow it, besides files
_haichi_values()
{
  case $1 in
  -p | --platform) _haichi_names topologies ;;
  -t | --trace) _haichi_names benchmarks | sort -u ;;
  -m | --mapping | --mapper) _haichi_names mappers ;;
  -M | --model) _haichi_names models ;;
  --engine) _haichi_names engines ;;
  --background) _haichi_names loads ;;
  --load) echo none && _haichi_names loads ;;
  --network) _haichi_names tasknets ;;
  --overlay) _haichi_names overlays ;;
  --on) _haichi_names backends ;;
  -s | --scheduler) _haichi_names schedulers ;;
  --steal) echo none random cluster group ;;
  --method) echo settled joint separate ;;
  --select) echo mcmpi random all ;;
  --collectives) echo default ompi mpich mvapich2 impi ;;
  --collective) haichi list collectives 2>/dev/null | cut -f 1 ;;
  esac
}

# _haichi_operands COMMAND: what its first operand may be, besides files
_haichi_operands()
{
  case $1 in
  map | metrics) _haichi_names mappers ;;
  platform) _haichi_names topologies ;;
  plot) haichi plot --help 2>/dev/null | sed -n 's/^\([a-z-]*\) [A-Z][A-Z./a-z]*[.:].*/\1/p' ;;
  list) haichi list --help 2>/dev/null | grep -oE '[a-z]+(\|[a-z]+)+' | head -n 1 | tr '|' '\n' ;;
  esac
}

_haichi()
{
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local -a command=("${COMP_WORDS[1]}")
  local words=
  local parent=
  case ${command[0]} in
  trace | wan | tasknet) parent=${command[0]} ;;
  esac
  [ -n "$parent" ] && [ "$COMP_CWORD" -gt 2 ] && command+=("${COMP_WORDS[2]}")
  # The shells cut words at a colon; what is before it stands already.
  case $current in
  :) current= ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="help $(haichi help 2>/dev/null | sed -n 's/^  \([a-z-]*\) .*/\1/p')"
  elif [ "$COMP_CWORD" -eq 2 ] && [ -n "$parent" ]; then
    words=$(haichi "$parent" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p')
  elif [ "${current#-}" != "$current" ]; then
    words=$(_haichi_options "${command[@]}")
  else
    words=$(_haichi_values "$before")
    [ -n "$words" ] || [ "$COMP_CWORD" -ne 2 ] || words=$(_haichi_operands "${command[0]}")
  fi
  local IFS=$' \t\n'
  # shellcheck disable=SC2207 # a list of words
  COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
  case ${#COMPREPLY[@]}${COMPREPLY[0]-} in
  1*:) compopt -o nospace 2>/dev/null ;; # its sides follow
  esac
  return 0
}

complete -o filenames -F _haichi haichi
