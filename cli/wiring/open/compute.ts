import type { Kysely } from 'kysely'
import { kyselyDueInstances } from '../../../connectors/postgres/accounts/instances/due-instances.ts'
import { embeddedDriver } from '../../../connectors/postgres/accounts/instances/embedded-driver.ts'
import { kyselyInstances } from '../../../connectors/postgres/accounts/instances/instance-store.ts'
import type { DueInstances, InstanceDriver, Instances } from '../../../connectors/postgres/accounts/instances/port.ts'
import type { Tables } from '../../../connectors/postgres/tables/tables.ts'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'

export type OpenCompute = { instances: Instances; due: DueInstances; driver: InstanceDriver }

/** Instances over the accounts database, with the driver that keeps state only. */
export const openCompute = (db: Kysely<Tables>, tiers: Tiers): OpenCompute => ({
  instances: kyselyInstances(db, tiers),
  due: kyselyDueInstances(db),
  driver: embeddedDriver,
})
