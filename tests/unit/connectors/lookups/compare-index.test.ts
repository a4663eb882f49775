import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Query } from '../../../../connectors/history/port.ts'
import type { IndexColumns } from '../../../../connectors/history/sql/queries/index-queries.ts'
import { compareIndex } from '../../../../connectors/lookups/compare-index.ts'
import { type Environment, openEnvironment } from '../../../../connectors/lookups/index/environment.ts'
import { indexFolder } from '../../../../connectors/lookups/index/index-folder.ts'
import { indexStore } from '../../../../connectors/lookups/index/open-index.ts'
import type { LookupIndex } from '../../../../connectors/lookups/port.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { IndexedEntity } from '../../../../schemas/intelligence/state/present.ts'
import { entityRow } from '../../../builders/intelligence/entity-row.ts'
import { keyedEntry } from '../../../builders/lookups/keyed.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const own = ownFolder('compare-index')
const HOUR = 60 * 60_000
const VALUES = ['8.8.8.8', '9.9.9.9', '1.1.1.1']

const entity = (value: string, given: Parameters<typeof entityRow>[0] = {}): IndexedEntity => ({
  type: 'ip',
  value,
  wide: false,
  rows: [entityRow({ value, reputation: -2, lastSeen: 5 * HOUR, tags: ['t'], ...given })],
})

let writer: LookupIndex & { promote(): void }
let env: Environment
/** What the store says. */
let stored: IndexedEntity[]
beforeEach(async () => {
  const folder = indexFolder(join(mkdtempSync(join(own, 'data-')), 'lookup-index'))
  writer = indexStore(folder, 64 * 1024 * 1024, () => 7).begin({ database: 'live', position: 0, applied: [] })
  stored = VALUES.map((value) => entity(value))
  await writer.append(stored, { complete: true })
  writer.promote()
  env = openEnvironment(folder.current()!, null)
})
afterEach(async () => {
  await env.close()
  await writer.close()
})

function columnsOf(entities: readonly IndexedEntity[]): IndexColumns {
  const rows = entities.map(({ type, value, rows: [row] }) => ({ type, value, row: row! }))
  return {
    type: rows.map(({ type }) => type),
    value: rows.map(({ value }) => value),
    audience: rows.map(({ row }) => String(row.audience)),
    version: rows.map(() => 1),
    reputation: rows.map(({ row }) => row.reputation),
    accuracy: rows.map(({ row }) => row.accuracy),
    best: rows.map(({ row }) => row.best),
    worst: rows.map(({ row }) => row.worst),
    attributes: rows.map(({ row }) => row.attributes),
    country: rows.map(({ row }) => row.country),
    asn: rows.map(({ row }) => row.asn),
    aso: rows.map(({ row }) => row.aso),
    marks: rows.map(() => 0),
    verdict: rows.map(() => 0),
    decided: rows.map(() => 0),
    until: rows.map(() => 0),
    tags: rows.map(({ row }) => [...row.tags]),
    first: rows.map(({ row }) => row.firstSeen),
    last: rows.map(({ row }) => row.lastSeen),
  }
}

const keyOf = (value: string): bigint => entityKey(entityId('ip', value))

const history = {
  async query<Row>({ params }: Query): Promise<Row[]> {
    if (params.first === undefined) return [{ n: stored.length }] as Row[]
    const [first, last] = [params.first as bigint, params.last as bigint]
    const within = stored.filter(({ value }) => first <= keyOf(value) && keyOf(value) <= last)
    return [columnsOf(within)] as Row[]
  },
}
const compared = (caughtUp: () => Promise<void> = async () => {}) => compareIndex({ history, env, caughtUp })

test('the same is no difference', async () => {
  expect(await compared()).toEqual({ values: 3, differences: [] })
})

test.each([
  ['another score', { reputation: 3 }],
  ['another tag', { tags: ['u'] }],
  ['another last sighting', { lastSeen: 5 * HOUR + 1 }],
  ['another attribute', { attributes: { port: '80' } }],
  ['another country', { country: 'DE' }],
  ['another best claim', { best: 3 }],
  ['another audience', { audience: 2n }],
])('%s is a difference', async (_, given) => {
  stored[0] = entity(VALUES[0]!, given)
  const { differences } = await compared()
  expect(differences.map(({ entityId: id }) => id)).toEqual([entityId('ip', VALUES[0]!)])
})

test('a value that one side alone knows is a difference', async () => {
  stored = [...stored.slice(1), entity('4.4.4.4')]
  const { differences } = await compared()
  expect(differences).toHaveLength(2)
  expect(differences).toContainEqual(expect.objectContaining({ entityId: entityId('ip', '4.4.4.4'), index: null }))
  expect(differences).toContainEqual(expect.objectContaining({ entityId: null, store: null }))
})

test('what the index has a moment later is none', async () => {
  const changed = entity(VALUES[0]!, { reputation: 3 })
  stored[0] = changed
  let looks = 0
  const catchUp = async (): Promise<void> => {
    if (++looks === 2) await writer.put([keyedEntry(changed)], {})
  }
  expect((await compared(catchUp)).differences).toEqual([])
})
