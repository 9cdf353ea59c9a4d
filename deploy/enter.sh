#!/bin/sh
# What a container does before its command: secrets become settings, a replica finds the folder of
# the runs and, where there is one, its Ray cluster.
set -eu
secrets=${SECRETS_FOLDER:-/run/secrets}
runs=${RUNS_VOLUME:-/runs}

# A secret is a file named like the variable it sets. Set otherwise besides, it would not be clear
# which of them holds.
for file in "$secrets"/LMCORE_* "$secrets"/STREAMLIT_*; do
  if [ -f "$file" ]; then
    value=$(cat "$file")
    said=$(printenv "${file##*/}" || true)
    if [ -n "$said" ] && [ "$said" != "$value" ]; then
      echo "${file##*/} must be set once: the environment and $file differ" >&2
      exit 1
    fi
    export "${file##*/}=$value"
  fi
done

# Replicas share the volume; each keeps its runs in a place of its own in there.
if [ -z "${LMCORE_RUNS_FOLDER:-}" ] && [ -w "$runs" ]; then
  export LMCORE_RUNS_FOLDER="$runs"
fi

# A Ray cluster is joined through a node of one's own, which computes nothing. It says its address:
# Ray finds none by itself in a network that leads nowhere else.
case "${LMCORE_RAY_ADDRESS:-}" in
  *:*)
    here=$(hostname -i)
    while true; do
      ray start --block --address="$LMCORE_RAY_ADDRESS" --node-ip-address="${here%% *}" \
        --num-cpus=0 --num-gpus=0 --object-store-memory=100000000 --disable-usage-stats || true
      sleep 5
    done >/dev/null 2>&1 &
    ;;
esac
exec "$@"
