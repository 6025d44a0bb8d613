#!/bin/sh
# Makes the user and the databases of Temporal; what is there is left as it is.
# PGHOST, PGPORT, PGUSER and PGPASSWORD say where and as whom; the image of PostgreSQL runs it when its volume is new.
set -eu

psql --set ON_ERROR_STOP=1 --no-psqlrc --quiet --username "${PGUSER:-$POSTGRES_USER}" --dbname postgres \
  --set temporal="$TEMPORAL_POSTGRES_PASSWORD" <<'SQL'
SELECT format('CREATE ROLE temporal LOGIN PASSWORD %L', :'temporal')
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'temporal') \gexec
SELECT format('CREATE DATABASE %I OWNER temporal', name)
  FROM (VALUES ('temporal'), ('temporal_visibility')) AS wanted (name)
  WHERE name NOT IN (SELECT datname FROM pg_database) \gexec
SQL
