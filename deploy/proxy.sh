#!/bin/sh
# The proxy. The key of its cookies is made from the replicas' secret: it stays the same over every
# restart, so that visitors come back to the replica that they were on.
set -eu
file=${SECRETS_FOLDER:-/run/secrets}/STREAMLIT_SERVER_COOKIE_SECRET
secret=${STREAMLIT_SERVER_COOKIE_SECRET:-}
if [ -s "$file" ]; then secret=$(cat "$file"); fi
if [ -z "${PROXY_STICKY_SECRET:-}" ] && [ -n "$secret" ]; then
  PROXY_STICKY_SECRET=$(printf 'replica %s' "$secret" | sha256sum | cut -c 1-32)
  export PROXY_STICKY_SECRET
fi
exec haproxy "$@"
