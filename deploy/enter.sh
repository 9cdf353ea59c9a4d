#!/bin/sh
# What a container does before its command: secrets become settings, and a replica finds its folder.
set -eu
secrets=${SECRETS_FOLDER:-/run/secrets}
runs=${RUNS_VOLUME:-/runs}

# A secret is a file named like the variable it sets.
for file in "$secrets"/LMCORE_* "$secrets"/STREAMLIT_*; do
  if [ -f "$file" ]; then
    value=$(cat "$file")
    export "${file##*/}=$value"
  fi
done

# Replicas that share a volume have a folder each: the first that no other holds. The lock stays
# with the process that follows, and ends with it.
if [ -z "${LMCORE_RUNS_FOLDER:-}" ] && [ -w "$runs" ]; then
  slot=1
  while exec 9>"$runs/$slot.lock"; ! flock -n 9; do slot=$((slot + 1)); done
  export LMCORE_RUNS_FOLDER="$runs/$slot"
fi
exec "$@"
