#!/usr/bin/env bash
# Programs under the environment variable BACKSTEP: runs each case of cases.txt in a folder of its own, and compares what
# is seen of it with transcript.txt: what it prints, where that is not what it prints without the switch, what the
# instruments say, the files that it leaves, and the code with which it ends.
#
#   transcript.sh FOLDER_OF_PROGRAMS FOLDER_TO_RUN_IN      with BACKSTEP_RENEW=1 writes transcript.txt
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=$1
mkdir -p "$2"
cd "$2"
export NO_COLOR=1

# Without numbers of processes and of the library's lines, numbers that are rounding errors, and the rest of long reports,
# which tests/autograd/debug/sessions/wrong_derivative_check.txt has.
without_what_changes() {
  sed -E -e 's/it\.[0-9]+\.json/it.N.json/' -e 's#(^|[ (])((autograd|nn)/[a-z_/]+\.(cpp|h)):[0-9]+#\1\2:N#g' \
    -e 's/[0-9](\.[0-9]+)?e-(0[7-9]|[1-9][0-9])/tiny/g' \
    -e '/^  ([0-9]+ ops at|[0-9]+ elements|largest relative error|[0-9.]+ s spent|try:)/d' -e '/^    (likely|tolerance):/d' \
    -e '/^    +input[, ]/d' -e '/^      /d' -e '/^$/d' -e 's/^\$ /\n&/'
}

run_case() {
  local switch=$1 program=$2
  shift 2
  rm -rf run && mkdir run
  cp "$here"/*.commands run
  (cd run && BACKSTEP= "$programs/$program" "$@" > ../plain 2> /dev/null) || true
  rm -rf run && mkdir run
  cp "$here"/*.commands run
  local code=0
  (cd run && BACKSTEP=$switch "$programs/$program" "$@" > ../printed 2> ../said) || code=$?
  echo "\$ BACKSTEP=$switch $program $*"
  if cmp -s plain printed; then echo "(prints the same as without)"; else cat printed; echo "(end of what it prints)"; fi
  cat said
  (cd run && rm ./*.commands && for file in *; do [ ! -e "$file" ] || echo "(leaves $file)"; done)
  echo "(ends with $code)"
}

while read -r line; do
  read -ra words <<< "$line"
  run_case "${words[@]}"
done < "$here/cases.txt" 2> /dev/null | without_what_changes > transcript.txt

if [ -n "${BACKSTEP_RENEW:-}" ]; then cp transcript.txt "$here/transcript.txt"; fi
diff "$here/transcript.txt" transcript.txt || { echo "This is not transcript.txt. If it is meant: tests/renew"; exit 1; }
