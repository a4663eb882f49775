import { expect, test } from 'vitest'
import { clearMarkService } from '../../../../../../api/intelligence/services/report/clear-mark.ts'
import { faultOf } from '../../../../../../pipelines/processors/intelligence/validate.ts'
import type { Identity } from '../../../../../../schemas/accounts/accounts.ts'
import type { Observation } from '../../../../../../schemas/intelligence/observations/observation.ts'
import { NOW, observation } from '../../../../../builders/intelligence/observation.ts'

const { entityId, type, value, id } = observation()
const admin = { userId: 'admin', roles: ['trusted', 'auth_admin'], groups: ['public'], customerId: null }

function setUp(wellKnown: boolean | null) {
  const sent: Observation[] = []
  const rows = wellKnown === null ? [] : [[entityId, [{ type, value, wellKnown }]] as const]
  const clear = clearMarkService({
    readers: { of: async () => ({ audiences: [1n] }) },
    entities: { states: async () => new Map(rows) },
    log: { send: async () => undefined },
    encodeObservation: (o: Observation) => {
      sent.push(o)
      return Buffer.alloc(0)
    },
    metrics: { harrier_ingest_observations_total: { inc: () => undefined } },
    now: () => NOW,
    newId: () => id,
  } as unknown as Parameters<typeof clearMarkService>[0])
  return { clear: () => clear(admin as unknown as Identity, entityId), sent }
}

test('a mark is cleared by a record that the jobs take, in the name of who clears it', async () => {
  const { clear, sent } = setUp(true)
  expect(await clear()).toBe(entityId)
  expect(sent).toMatchObject([{ kind: 'unmark', entityId, userId: 'admin', audience: [], observedAt: NOW }])
  expect(faultOf(sent[0]!, NOW)).toBeNull()
})

test('an entity that is unknown, or not marked, has no mark to clear', async () => {
  for (const wellKnown of [null, false]) {
    const { clear, sent } = setUp(wellKnown)
    await expect(clear()).rejects.toThrow('not marked as well known')
    expect(sent).toEqual([])
  }
})
