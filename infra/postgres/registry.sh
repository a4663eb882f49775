#!/usr/bin/env bash
# Runs once, when the server is new: the schema registry has a database and a user of its own.
set -euo pipefail

psql -v ON_ERROR_STOP=1 -v password="$REGISTRY_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE USER registry PASSWORD :'password';
CREATE DATABASE registry OWNER registry;
SQL
