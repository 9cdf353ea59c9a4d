#!/bin/sh
# A class on one server without Docker: replicas, a name for their addresses, the proxy before them.
#
#   sudo apt-get install --yes make python3-venv haproxy dnsmasq-base openssl
#   sudo sysctl net.ipv4.ip_unprivileged_port_start=80      # everybody may listen on 80 and 443
#   deploy/bare.sh 2                                        # two replicas, until Ctrl-C
#
# Secrets and certificates lie where Docker has them, in deploy/secrets and deploy/certificates;
# what deploy/.env sets holds here too. Whatever ends is begun again.
set -eu
cd "$(dirname "$0")/.."
if [ -f deploy/.env ]; then
  set -a
  . deploy/.env
  set +a
fi
replicas=${1:-2} port=${PORT:-8501} names=${NAMES_PORT:-5301}
export SECRETS_FOLDER="${SECRETS_FOLDER:-$PWD/deploy/secrets}"
export RUNS_VOLUME="${RUNS_VOLUME:-$PWD/deploy/runs}"
# Visitors of a replica that has died go on at another one.
export LMCORE_STREAMLIT_INTERNALS="${LMCORE_STREAMLIT_INTERNALS:-script_scheduler,message_batching,reconnect}"
export PROXY_HTTP="${PROXY_HTTP:-:80}" PROXY_HTTPS="${PROXY_HTTPS:-:443}"
export PROXY_PORT="${PROXY_PORT:-${PROXY_HTTPS##*:}}"
export PROXY_INSIDE="${PROXY_INSIDE:-127.0.0.1:8404}"
export PROXY_CERTIFICATES="${PROXY_CERTIFICATES:-$PWD/deploy/certificates}"
export PROXY_PAGES="$PWD/deploy" PROXY_REPLICAS="app:$port" PROXY_RESOLVER="127.0.0.1:$names"
export PROXY_UPLOAD_MB="${LMCORE_UPLOAD_MB:-16}" PATH="$PATH:/usr/sbin"
mkdir -p "$RUNS_VOLUME"
# Replicas know each other and their visitors by one secret, which stays.
secret="$SECRETS_FOLDER/STREAMLIT_SERVER_COOKIE_SECRET"
if [ ! -s "$secret" ] && [ -z "${STREAMLIT_SERVER_COOKIE_SECRET:-}" ]; then
  (umask 077; mkdir -p "$SECRETS_FOLDER"; openssl rand -hex 32 >"$secret")
fi
make --silent .venv/run.stamp

# A command that is begun again when it ends, until this one is told to end.
keep() {
  trap 'kill "$child"; wait "$child"; exit 0' TERM
  while true; do
    "$@" &
    child=$!
    wait "$child" || true
    sleep 1
  done
}

kept="" addresses="" LMCORE_REPLICAS=""
for number in $(seq 2 $((replicas + 1))); do
  addresses="$addresses --address=/app/127.0.0.$number"
  LMCORE_REPLICAS="$LMCORE_REPLICAS,127.0.0.$number:$port"
done
export LMCORE_REPLICAS="${LMCORE_REPLICAS#,}"
end() {
  trap - EXIT INT TERM
  kill $kept
  wait
}
trap end EXIT
trap 'end; exit 0' INT TERM
for number in $(seq 2 $((replicas + 1))); do
  keep deploy/enter.sh make --silent run ADDRESS="127.0.0.$number" PORT="$port" &
  kept="$kept $!"
done
keep dnsmasq --keep-in-foreground --conf-file=/dev/null --port="$names" --no-resolv --no-hosts \
  --listen-address=127.0.0.1 --bind-interfaces $addresses &
kept="$kept $!"
keep deploy/proxy.sh -q -f deploy/haproxy.cfg &
kept="$kept $!"
wait
