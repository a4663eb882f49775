import { postgresRestarts } from './harness/servers/postgres-restarts.ts'

postgresRestarts(6)
