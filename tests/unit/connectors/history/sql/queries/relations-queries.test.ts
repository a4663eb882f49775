import { expect, test } from 'vitest'
import type { Query } from '../../../../../../connectors/history/port.ts'
import { activityByDay } from '../../../../../../connectors/history/sql/queries/activity.ts'
import {
  firstLinks,
  linksAmong,
  neighbours,
  relationsCount,
  relationsPage,
} from '../../../../../../connectors/history/sql/queries/relations-queries.ts'
import { endRows, newestLinks } from '../../../../../../connectors/history/sql/queries/relationships.ts'

const DIGEST = '00000000000000ff'.padEnd(64, '0')
const ID = `ip-${DIGEST}`
const OTHER = `domain-${'1'.repeat(64)}`
const audiences = [7n]
const search = { id: ID, audiences, types: null }

const cases: { name: string; query: Query; says: string[]; params: Record<string, unknown> }[] = [
  {
    name: 'a page of relations is bounded and ordered to the last',
    query: relationsPage(search, 10, 20),
    says: [
      'key = {key:UInt64} AND entity_id = {id:String} AND related_id != entity_id',
      'ORDER BY last DESC, related_id, mode, outgoing LIMIT {limit:UInt32} OFFSET {offset:UInt64}',
    ],
    params: { key: 255n, id: ID, audiences, limit: 10, offset: 20 },
  },
  {
    name: 'a page of certain types asks for the type of the other end',
    query: relationsPage({ ...search, types: ['domain'] }, 10, 0),
    says: ['substring(related_id, 1, length(related_id) - 65) IN {types:Array(String)}'],
    params: { key: 255n, id: ID, audiences, types: ['domain'], limit: 10, offset: 0 },
  },
  {
    name: 'the number of relations counts each once',
    query: relationsCount({ ...search, types: ['domain'] }),
    says: ['count() AS relations', 'GROUP BY key, entity_id, related_id, mode, outgoing', '{types:Array(String)}'],
    params: { key: 255n, id: ID, audiences, types: ['domain'] },
  },
  {
    name: 'neighbours are bounded for each entity and in all',
    query: neighbours([ID, OTHER], audiences, { each: 3, limit: 5 }),
    says: ['LIMIT {each:UInt32} BY entity_id LIMIT {limit:UInt32}', 'ORDER BY max(last_seen) DESC'],
    params: { keys: [255n, 0x1111111111111111n], ids: [ID, OTHER], audiences, each: 3, limit: 5 },
  },
  {
    name: 'links among entities have both ends among them, in the stated direction',
    query: linksAmong([ID, OTHER], audiences, 9),
    says: ['entity_id IN {ids:Array(String)} AND related_id IN {ids:Array(String)}', 'outgoing = 1'],
    params: { keys: [255n, 0x1111111111111111n], ids: [ID, OTHER], audiences, limit: 9 },
  },
  {
    name: 'first statements of links are looked up by their places, at the end that states them',
    query: firstLinks([{ mode: 'association', source: ID, target: OTHER }], audiences),
    says: ['PREWHERE key IN {keys:Array(UInt64)}', '(key, entity_id, related_id) IN (SELECT', 'outgoing = 1'],
    params: { keys: [255n], ids: [ID], ends: [OTHER], audiences },
  },
  {
    name: 'newest links are each type on its own, as many as are kept of an entity',
    query: newestLinks({ ids: [ID], audiences, each: 3, incoming: false }),
    says: [
      'groupArraySorted(3)(',
      'GROUP BY key, entity_id, related_id, mode, outgoing, relationship',
      'AND outgoing = 1',
      'optimize_aggregation_in_order = 1',
    ],
    params: { keys: [255n], ids: [ID], audiences },
  },
  {
    name: 'ends are looked up by their keys alone',
    query: endRows([ID, ID], audiences),
    says: ['PREWHERE key IN {keys:Array(UInt64)}'],
    params: { keys: [255n], audiences },
  },
  {
    name: 'activity is of one entity since a time',
    query: activityByDay({ type: 'ip', digest: DIGEST }, audiences, 1_000),
    says: ['ts >= fromUnixTimestamp64Milli({since:Int64}', 'type = {entityType:String}', 'GROUP BY day'],
    params: { since: 1_000, digest: DIGEST, entityType: 'ip', audiences },
  },
]

test.each(cases)('$name', ({ query, says, params }) => {
  for (const part of [...says, 'audience IN {audiences:Array(UInt64)}']) expect(query.sql).toContain(part)
  expect(query.params).toEqual(params)
  // Whatever stands in the text has its value, and the other way round.
  const named = [...query.sql.matchAll(/\{(\w+):/g)].map(([, name]) => name)
  expect([...new Set(named)].sort()).toEqual(Object.keys(params).sort())
})

test('no word of a caller stands in the text of a query', () => {
  const types = ["x' OR 1 = 1 --"]
  expect(relationsPage({ ...search, types }, 1, 0).sql).toBe(relationsPage({ ...search, types: ['y'] }, 1, 0).sql)
})
