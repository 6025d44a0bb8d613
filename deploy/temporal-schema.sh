#!/bin/sh
# Brings the tables of Temporal to the version of its programs; run again, it does what is left to do. SQL_HOST, SQL_PORT,
# SQL_USER and SQL_PASSWORD say where and as whom. Give it a while before the server of a new version is started.
set -eu

sql_tool="${TEMPORAL_SQL_TOOL:-temporal-sql-tool}"
versions="${TEMPORAL_SCHEMA:-/etc/temporal/schema}/postgresql/v12"
export SQL_PLUGIN=postgres12

for part in temporal:temporal visibility:temporal_visibility; do
  database="${part#*:}"
  # Without its table of versions a database is new; setting it up a second time would begin its history anew.
  if ! "$sql_tool" --database "$database" update-schema --schema-dir "$versions/${part%%:*}/versioned"; then
    "$sql_tool" --database "$database" setup-schema --version 0.0
    "$sql_tool" --database "$database" update-schema --schema-dir "$versions/${part%%:*}/versioned"
  fi
done
