#!/bin/sh
# Makes a user and the databases of Temporal, and a user and a database of Colligate; what is there is left as it is.
# PGHOST, PGPORT, PGUSER and PGPASSWORD say where and as whom; the image of PostgreSQL runs it when its volume is new.
set -eu

psql --set ON_ERROR_STOP=1 --no-psqlrc --quiet --username "${PGUSER:-$POSTGRES_USER}" --dbname postgres \
  --set temporal="$TEMPORAL_POSTGRES_PASSWORD" --set colligate="$COLLIGATE_POSTGRES_PASSWORD" <<'SQL'
SELECT format('CREATE ROLE %I LOGIN PASSWORD %L', role, password)
  FROM (VALUES ('temporal', :'temporal'), ('colligate', :'colligate')) AS wanted (role, password)
  WHERE role NOT IN (SELECT rolname FROM pg_roles) \gexec
SELECT format('CREATE DATABASE %I OWNER %I', name, owner)
  FROM (VALUES ('temporal', 'temporal'), ('temporal_visibility', 'temporal'), ('colligate', 'colligate')) AS wanted (name, owner)
  WHERE name NOT IN (SELECT datname FROM pg_database) \gexec
SQL
