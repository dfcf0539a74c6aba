# Completion of haichi's words for bash, and for zsh through bashcompinit.  What there is, haichi
# itself is asked: its commands, options, mappers and topologies are written down nowhere else.

# _haichi_names LIST WORD: the names of `haichi list LIST`, those with options as "NAME:"; after a
# colon in WORD the examples and options that the list has
_haichi_names()
{
  case $2 in
  *:*) haichi list "$1" 2>/dev/null | cut -f 1 | grep -v -F ... ;;
  *) haichi list "$1" 2>/dev/null | cut -f 1 | grep -v -F ... | sed 's/:.*/:/' | sort -u | _haichi_plain ;;
  esac
}

# Of "NAME" and "NAME:" only the first: the options of NAME may be left out.
_haichi_plain()
{
  awk '{ line[NR] = $0; has[$0] = 1 }
    END { for (i = 1; i <= NR; i++) { name = line[i]; if (sub(/:$/, "", name) && name in has) continue; print line[i] } }'
}

# _haichi_commands: the commands
_haichi_commands()
{
  haichi help 2>/dev/null | sed -n 's/^  \([a-z-]*\) .*/\1/p'
}

# _haichi_options COMMAND...: the options that its --help shows
_haichi_options()
{
  haichi "$@" --help 2>/dev/null | grep -E '^ +-' | grep -oE -e '(^|[ ,])-(-[a-z][a-z-]*|[A-Za-z])' |
    tr -d ' ,' | sort -u
}

# _haichi_values OPTION WORD: what may follow it; sets `files` if a file may
_haichi_values()
{
  case $1 in
  -p | --platform) _haichi_names topologies "$2" ;;
  -t | --trace) _haichi_names benchmarks "$2" ;;
  -m | --mapping | --mapper) _haichi_names mappers "$2" ;;
  -M | --model | --network-model) _haichi_names models "$2" ;;
  --engine) _haichi_names engines "$2" ;;
  --background) _haichi_names loads "$2" ;;
  --effect) _haichi_names effects "$2" ;;
  --load) echo none && _haichi_names loads "$2" ;;
  --network) _haichi_names tasknets "$2" ;;
  --overlay) _haichi_names overlays "$2" ;;
  --on) _haichi_names backends "$2" ;;
  --matrix-format) _haichi_names matrices "$2" ;;
  -s | --scheduler) _haichi_names schedulers "$2" ;;
  --steal) printf '%s\n' none random cluster group ;;
  --method) printf '%s\n' settled joint separate ;;
  --select) printf '%s\n' mcmpi random all ;;
  --format) printf '%s\n' tsv json ;;
  --timeline-format) printf '%s\n' csv paje chrome otf2 ;;
  --collectives) printf '%s\n' default ompi mpich mvapich2 impi ;;
  --collective) haichi list collectives 2>/dev/null | cut -f 1 ;;
  esac
}

# _haichi_operands COMMAND WORD: what its first operand may be
_haichi_operands()
{
  case $1 in
  help) _haichi_commands ;;
  map | metrics) _haichi_names mappers "$2" ;;
  platform) _haichi_names topologies "$2" ;;
  schedule) _haichi_names tasknets "$2" ;;
  plot) haichi plot --help 2>/dev/null | sed -n 's/^\([a-z-]*\) [A-Z][A-Z./a-z]*[.:].*/\1/p' ;;
  list) haichi list --help 2>/dev/null | grep -oE '[a-z]+(\|[a-z]+)+' | head -n 1 | tr '|' '\n' ;;
  esac
}

# _haichi_takes_files COMMAND OPTION OPERAND: may a file stand after the option, or as this operand?
_haichi_takes_files()
{
  case $2 in
  -M | --model | --network-model | --engine | --background | --effect | --load | --overlay | --on | --matrix-format | -s | --scheduler | --steal | \
    --method | --select | --format | --timeline-format | --collective) return 1 ;;
  esac
  case $1$2$3 in
  help* | list* | plot1 | map1) return 1 ;;
  esac
  return 0
}

# _haichi_words COMMAND SUBCOMMAND OPTION OPERAND WORD: what WORD may be; a file, too, if it fails
_haichi_words()
{
  local words=''
  case $5 in
  -*) _haichi_options "$1" ${2:+"$2"} && return 0 ;;
  esac
  [ -z "$3" ] || words=$(_haichi_values "$3" "$5")
  [ "$3$4" != 1 ] || words=$(_haichi_operands "$1" "$5")
  printf '%s\n' "$words"
  ! _haichi_takes_files "$1" "$3" "$4"
}

_haichi()
{
  # Split at blanks: bash would cut words at a colon or an equals sign, too.
  local line=${COMP_LINE:0:$COMP_POINT}
  local first='' second='' before='' current='' several='' count=0 word='' files='' words='' cut=''
  set -o noglob
  for word in $(printf '%sx' "$line"); do
    count=$((count + 1))
    before=$current
    current=$word
    case $count in
    2) first=$word ;;
    3) second=$word ;;
    esac
    # Options that take all words up to the next option.
    case $first:$word in
    compare:-p | compare:--platform | compare:-t | compare:--trace | compare:-m | compare:--mapper | compare:--network | \
      compare:-s | compare:--scheduler) several=$word ;;
    esac
  done
  set +o noglob
  current=${current%x}
  case $before in
  -*) several=$before ;;
  esac
  case $current in
  --*=*)
    several=${current%%=*}
    current=${current#*=}
    ;;
  esac
  case $first:$count in
  *:[12]) words="help $(_haichi_commands)" ;;
  trace:3 | wan:3 | tasknet:3) words=$(haichi "$first" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p') ;;
  trace:* | wan:* | tasknet:*) words=$(_haichi_words "$first" "$second" "$several" $((count - 3)) "$current") || files=yes ;;
  *) words=$(_haichi_words "$first" '' "$several" $((count - 2)) "$current") || files=yes ;;
  esac
  local IFS=$' \t\n'
  # shellcheck disable=SC2207 # a list of words
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # shellcheck disable=SC2207 # a list of words
  [ -z "$files" ] || COMPREPLY+=($(compgen -f -- "$current"))
  # What is before a colon or an equals sign stands already in bash.
  case ${COMP_WORDBREAKS-}:$current in
  *:*[:=]*:* | *:*:*) cut=${current%"${current##*[:=]}"} ;;
  esac
  [ -z "$cut" ] || COMPREPLY=("${COMPREPLY[@]#"$cut"}")
  case ${#COMPREPLY[@]}${COMPREPLY[0]-} in
  1*[:=]) compopt -o nospace 2>/dev/null ;; # its value follows
  esac
  return 0
}

complete -o filenames -F _haichi haichi
