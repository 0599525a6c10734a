#!/bin/sh
# Like the published image: creates the data once, runs the scripts in docker-entrypoint-initdb.d on a server that listens on
# its socket only, and then starts the server.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" >/tmp/password
  # shellcheck disable=SC2086
  initdb --pgdata="$PGDATA" --username=postgres --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 \
    ${POSTGRES_INITDB_ARGS:-}
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl --pgdata="$PGDATA" --options='-c listen_addresses=' --wait start
  for script in /docker-entrypoint-initdb.d/*.sql; do
    psql --set=ON_ERROR_STOP=1 --no-psqlrc --username=postgres --no-password --file="$script"
  done
  pg_ctl --pgdata="$PGDATA" --mode=fast --wait stop
fi
exec "$@" -c listen_addresses='*'
