import { beforeAll, expect, test } from 'vitest'
import { entityRecord } from '../../../../../api/intelligence/services/entity/entity-record.ts'
import { shownEntities } from '../../../../../api/intelligence/services/entity/shown-entities.ts'
import type { Query } from '../../../../../connectors/history/port.ts'
import {
  currentRows,
  type EntityRow,
  readableRowsByKey,
} from '../../../../../connectors/history/sql/queries/entities-queries.ts'
import { observationStore } from '../../../../../connectors/history/stores/observations.ts'
import { storeSource } from '../../../../../connectors/lookups/store-lookups.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import { entityKey } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { fold, isRetracted } from '../../../../../schemas/intelligence/state/entity-view.ts'
import { observing } from '../../../../builders/history/applied.ts'
import { migrated } from '../../../../builders/history/shared.ts'
import type { OpenStore } from '../../../../builders/history/stores.ts'
import { entityRow } from '../../../../builders/intelligence/entity-row.ts'
import { HOUR, NOW, observation } from '../../../../builders/intelligence/observation.ts'
import { retractionOf } from '../../../../builders/intelligence/retraction.ts'

const PUBLIC = audienceId(['public'])
const BLUE = audienceId(['blue'])
const GREEN = audienceId(['green'])
const WINDOW = { from: NOW - HOUR, to: NOW + HOUR }

const ip = (n: number): string => entityId('ip', `192.0.2.${n}`)
const SEVERAL = ip(1)
const RETRACTED = ip(2)
const BY_BLUE = ip(3)
const MET = ip(4)
const IDS = [
  ...Array.from({ length: 20 }, (_, n) => ip(n)),
  // Unknown, and the digest of one that is known under another type.
  entityId('ip', '203.0.113.7'),
  SEVERAL.replace('ip-', 'domain-'),
]

export function singleEntities(open: OpenStore): void {
  const { history } = migrated(open)

  beforeAll(async () => {
    const apply = observing(history)
    const said = Array.from({ length: 20 }, (_, n) => observation({ value: `192.0.2.${n}`, reputation: -1 - (n % 3) }))
    await apply(said.filter(({ entityId: id }) => id !== BY_BLUE))
    await apply([
      observation({ value: '192.0.2.1', audience: ['blue'], reputation: 3, source: 's2', tags: ['b'], trust: 0.9 }),
      observation({ value: '192.0.2.3', audience: ['blue'], attributes: { port: '22/tcp' } }),
      observation({ value: '192.0.2.4', audience: ['blue'], kind: 'match', reputation: null, observedAt: NOW + HOUR }),
      retractionOf([said[2]!], said[2]!, WINDOW, NOW + 2 * HOUR),
    ])
    // Of another value, with the first bytes of a digest that is not its own.
    const chance = `${SEVERAL.slice(0, -48)}${'0'.repeat(48)}`
    const row = entityRow({ entityId: chance, value: '198.51.100.1', audience: PUBLIC, tags: ['by chance'] })
    await observationStore(history).entities([row], 'by chance')
  })

  const readerOf = (audiences: readonly bigint[]) => ({ groups: [], audiences, own: [], visibleBy: () => [] })

  /** What one statement with all columns says of one entity. */
  async function alone(audiences: readonly bigint[], id: string) {
    const found = await history.query<EntityRow>(readableRowsByKey([entityKey(id)], audiences))
    const rows = currentRows(found).filter((row) => row.entityId === id)
    return rows.length === 0 ? null : { ...entityRecord(fold(rows)), retracted: isRetracted(rows) }
  }

  /** The same of services over a store that is watched. */
  function shared(before: (query: Query) => void = () => undefined) {
    const asked: Query[] = []
    const watched = {
      query: async <Row>(query: Query) => {
        asked.push(query)
        before(query)
        return history.query<Row>(query)
      },
    }
    const shown = shownEntities(storeSource(watched))
    const ask = async (audiences: readonly bigint[], ids: readonly string[]) => {
      const one = await shown(readerOf(audiences), ids)
      return one && { ...entityRecord(one.view), retracted: one.retracted }
    }
    return { asked, ask }
  }

  test.each([
    { name: 'anybody', audiences: [PUBLIC], statements: 1 },
    { name: 'a member of a group', audiences: [PUBLIC, BLUE], statements: 2 },
    { name: 'a member of another', audiences: [PUBLIC, GREEN], statements: 1 },
  ])('those of many callers at once are what each has alone, for $name', async ({ audiences, statements }) => {
    const { asked, ask } = shared()
    const told = await Promise.all(IDS.map((id) => ask(audiences, [id])))
    expect(told).toEqual(await Promise.all(IDS.map((id) => alone(audiences, id))))
    // Claims are read of those alone that stand in several audiences, in one statement more.
    expect(asked.length).toBe(statements)
    expect(told.map((one) => one?.retracted ?? null)).toContain(true)
    expect(told.slice(-2)).toEqual([null, null])
  })

  test('audiences that are asked for at the same time are told their own', async () => {
    const { ask } = shared()
    const readers = [[PUBLIC], [PUBLIC, BLUE], [GREEN]]
    const of = (id: string) => Promise.all(readers.map((audiences) => ask(audiences, [id])))
    const [several, retracted, byBlue, met] = await Promise.all([SEVERAL, RETRACTED, BY_BLUE, MET].map(of))
    expect(several!.map((one) => one?.tags)).toEqual([[], ['b'], undefined])
    expect(retracted!.map((one) => one?.retracted)).toEqual([true, true, undefined])
    expect(byBlue!.map((one) => one?.attributes.port)).toEqual([undefined, '22/tcp', undefined])
    expect(met!.map((one) => one && Date.parse(one.lastSeen))).toEqual([NOW, NOW + HOUR, null])
  })

  test('of several ids the first that is known is shown', async () => {
    const { ask } = shared()
    expect((await ask([PUBLIC], [entityId('ip', '203.0.113.7'), ip(5), ip(6)]))?.id).toBe(ip(5))
  })

  test('a statement that fails is the failure of those who share it, and the next ones are answered', async () => {
    let failing = true
    const { asked, ask } = shared(() => {
      if (failing) throw new Error('out of order')
    })
    const failed = await Promise.allSettled(IDS.map((id) => ask([PUBLIC], [id])))
    expect(failed.every(({ status }) => status === 'rejected')).toBe(true)
    expect(asked.length).toBe(1)
    failing = false
    expect(await ask([PUBLIC], [ip(5)])).toEqual(await alone([PUBLIC], ip(5)))
  })

  test('more bytes than a statement may answer with are an error that says so', async () => {
    const asked = history.query(readableRowsByKey([entityKey(ip(5)), entityKey(ip(6))], [PUBLIC], 100))
    await expect(asked).rejects.toMatchObject({ code: '396' })
  })
}
