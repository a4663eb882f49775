import type { Kysely } from 'kysely'
import { kyselyDueInstances } from '../../../connectors/postgres/instances/due.ts'
import { embeddedDriver } from '../../../connectors/postgres/instances/embedded-driver.ts'
import { kyselyInstances } from '../../../connectors/postgres/instances/kysely.ts'
import type { DueInstances, InstanceDriver, Instances } from '../../../connectors/postgres/instances/port.ts'
import type { Tables } from '../../../connectors/postgres/tables/tables.ts'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'

export type OpenCompute = { instances: Instances; due: DueInstances; driver: InstanceDriver }

/** Instances over the accounts database, with the driver that keeps state only. */
export const openCompute = (db: Kysely<Tables>, tiers: Tiers): OpenCompute => ({
  instances: kyselyInstances(db, tiers),
  due: kyselyDueInstances(db),
  driver: embeddedDriver,
})
