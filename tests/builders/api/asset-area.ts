/** The API over a database in memory, with few quotas and a team to ask as. */

import type { ApiPorts } from '../../../api/app.ts'
import { kyselyDueInstances } from '../../../connectors/postgres/accounts/instances/due-instances.ts'
import { embeddedDriver } from '../../../connectors/postgres/accounts/instances/embedded-driver.ts'
import { kyselyInstances } from '../../../connectors/postgres/accounts/instances/instance-store.ts'
import { kyselyQuotas } from '../../../connectors/postgres/accounts/plan/quota-store.ts'
import { kyselyCasework } from '../../../connectors/postgres/casework/casework-store.ts'
import { moveInstancesOnce } from '../../../pipelines/jobs/accounts/instances-job.ts'
import { BUILT_IN_TIERS } from '../../../schemas/accounts/tiers/tiers.ts'
import { CASEWORK_KINDS, QUOTA_KEYS } from '../../../schemas/casework/casework.ts'
import { embeddedPeople } from '../accounts/team.ts'
import { apiConfig, startApi } from './api.ts'

/** Of every quota. */
export const QUOTA = 2
export const STEP_MS = 500

const two = { value: QUOTA, description: 'as many' }
const TIERS = {
  ...BUILT_IN_TIERS,
  Free: {
    ...BUILT_IN_TIERS.Free!,
    quotas: {
      'compute-api': { max_instances: two },
      'casework-api': Object.fromEntries(CASEWORK_KINDS.map((kind) => [QUOTA_KEYS[kind], two])),
    },
  },
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
type Called = { status: number; body: any; headers: Headers }

export async function assetArea(given: Partial<ApiPorts> = {}) {
  const people = await embeddedPeople()
  const { db } = people
  const clock = { now: 1_800_000_000_000 }
  const now = () => clock.now
  const quotas = kyselyQuotas(db, TIERS)
  const ports = { ...people, quotas, instances: kyselyInstances(db, TIERS), casework: kyselyCasework(db, TIERS), now }
  const api = await startApi({ ...ports, ...given }, { ...apiConfig, tiers: TIERS, computeStepMs: STEP_MS })
  const due = kyselyDueInstances(db)
  return {
    people,
    clock,
    async call(headers: Record<string, string>, method: string, path: string, body?: unknown): Promise<Called> {
      const response = await fetch(api.url + path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers }
    },
    /** What the customer has of a quota, by its key. */
    async used(customerId: string, key: string): Promise<number> {
      return (await quotas.usage(customerId)).find(({ featureKey }) => featureKey === key)?.used ?? 0
    },
    /** Lets the time of one step pass, and moves on what is due. */
    async pass(): Promise<void> {
      clock.now += STEP_MS
      const onFailure = (error: Error) => {
        throw error
      }
      await moveInstancesOnce({ due, driver: embeddedDriver, stepMs: STEP_MS, now, onFailure })
    },
    async close(): Promise<void> {
      await api.close()
      await people.close()
    },
  }
}
