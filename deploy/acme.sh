#!/bin/sh
# A certificate for HOST_NAME, renewed in time; the proxy is told when there is a new one.
set -eu
: "${HOST_NAME:?must be the name under which the class finds the app}"
: "${EMAIL:?must be where the certificate authority writes to}"
folder=${CERTIFICATES_FOLDER:-/certificates}
state=$folder/.acme
umask 077

while true; do
  again=43200
  certbot certonly --non-interactive --agree-tos --email "$EMAIL" --domain "$HOST_NAME" \
    --standalone --http-01-port "${ACME_PORT:-8080}" --keep-until-expiring --cert-name live \
    ${ACME_SERVER:+--server "$ACME_SERVER"} \
    --config-dir "$state" --work-dir /tmp/work --logs-dir /tmp/logs || again=900
  if [ -f "$state/live/live/fullchain.pem" ]; then
    cat "$state/live/live/fullchain.pem" "$state/live/live/privkey.pem" >"$state/live.pem"
    if ! cmp -s "$state/live.pem" "$folder/live.pem"; then
      mv "$state/live.pem" "$folder/live.pem"
      kill -USR2 "${PROXY_PROCESS:-1}"
    fi
  fi
  sleep "$again"
done
