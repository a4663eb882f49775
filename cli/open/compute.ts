import type { Kysely } from 'kysely'
import type { Tables } from '../../connectors/accounts/kysely/tables.ts'
import { kyselyDueInstances } from '../../connectors/compute/due.ts'
import { embeddedDriver } from '../../connectors/compute/embedded-driver.ts'
import { kyselyInstances } from '../../connectors/compute/kysely.ts'
import type { DueInstances, InstanceDriver, Instances } from '../../connectors/compute/port.ts'
import type { Tiers } from '../../schemas/tiers/tiers.ts'

export type OpenCompute = { instances: Instances; due: DueInstances; driver: InstanceDriver }

/** Instances over the accounts database, with the driver that keeps state only. */
export const openCompute = (db: Kysely<Tables>, tiers: Tiers): OpenCompute => ({
  instances: kyselyInstances(db, tiers),
  due: kyselyDueInstances(db),
  driver: embeddedDriver,
})
