import { expect, test } from 'vitest'
import { entityDetails } from '../../../../../../api/intelligence/services/entity/details.ts'
import type { Relation } from '../../../../../../api/intelligence/services/entity/relations-service.ts'
import type { Reader } from '../../../../../../api/intelligence/services/readers.ts'
import type { History, Query } from '../../../../../../connectors/history/port.ts'
import { builtIn } from '../../../../../../schemas/intelligence/scoring/rules.ts'
import type { Claim, EntityState } from '../../../../../../schemas/intelligence/state/entity-state.ts'
import { fold } from '../../../../../../schemas/intelligence/state/entity-view.ts'
import { entityRow } from '../../../../../builders/intelligence/entity-row.ts'

const ID = `ip-${'1'.repeat(64)}`
const NOW = Date.parse('2026-03-10T12:00:00Z')
const reader: Reader = { groups: ['public'], audiences: [1n], own: [], visibleBy: () => ['public'] }

const claim = (source: string, reputation: number | null): Claim => ({
  source,
  kind: 'user',
  trust: 0.6,
  reputation,
  claimedAt: NOW,
  at: NOW,
  keptAt: NOW,
  keptHash: 0n,
  firstSeen: NOW,
})

const state = (given: Partial<EntityState>): EntityState =>
  entityRow({
    entityId: ID,
    firstSeen: NOW,
    lastSeen: NOW,
    scoredAt: NOW,
    ...given,
  })

async function detailsOf(
  states: EntityState[],
  days: { day: string; records: string }[] = [],
  newest: Relation[] = [],
) {
  const asked: Query[] = []
  const history: Pick<History, 'query'> = {
    query: async <Row>(query: Query) => {
      asked.push(query)
      return days as Row[]
    },
  }
  const entities = {
    states: async () => new Map([[ID, states]]),
    views: async () => new Map(),
    scoring: builtIn,
    fold: async (rows: readonly EntityState[]) => fold(rows),
  }
  const relations = { page: async () => null, newest: async () => newest }
  return { asked, details: await entityDetails(history, entities, relations)(reader, ID, NOW) }
}

test('each attribute has its latest value, and the time of that value', async () => {
  const { details } = await detailsOf([
    state({ attributes: { text: 'old', port: '80/tcp' }, attributeTimes: { text: NOW - 2_000, port: NOW } }),
    state({ audience: 2n, attributes: { text: 'new' }, attributeTimes: { text: NOW - 1_000 } }),
  ])
  expect(details?.metadata).toEqual({ port: '80/tcp', text: 'new' })
  expect(Object.keys(details!.extended_metadata)).toEqual(['port', 'text'])
  expect(details?.extended_metadata).toMatchObject({
    port: { value: '80/tcp', last_seen: new Date(NOW).toISOString() },
    text: { label: 'Text', value: 'new', last_seen: new Date(NOW - 1_000).toISOString() },
  })
})

test('a source that speaks in two audiences, or only sighted it, is one source', async () => {
  const { details } = await detailsOf([
    state({ claims: [claim('a', -2), claim('b', null)] }),
    state({ audience: 2n, claims: [claim('a', -3)] }),
  ])
  expect(details?.sources).toBe(2)
  // -2 and -3 of equal weight: the mean, halves away from zero.
  expect(details?.reputation).toEqual({ current: -3, best: -2, worst: -3, label: 'Alarming' })
})

test('it says that every report was taken back, and only then', async () => {
  const gone = state({ retracted: true })
  expect((await detailsOf([gone])).details?.retracted).toBe(true)
  expect((await detailsOf([gone, state({ audience: 2n })])).details).not.toHaveProperty('retracted')
})

test('the entity is told in the scores and words that other clients read', async () => {
  const { details } = await detailsOf([state({ reputation: -2, best: -1, worst: -2, accuracy: 1 })])
  expect(details?.attributes).toMatchObject({
    id: ID,
    type: 'ip',
    value: '8.8.8.8',
    description: expect.stringMatching(/./),
    reputation_score: -2,
    reputation: 'Bad',
    best_reputation_score: -1,
    best_reputation: 'Poor',
    worst_reputation_score: -2,
    worst_reputation: 'Bad',
    accuracy_score: 1,
    accuracy: 'Low',
  })
})

test('an association is what stands at the other end, whoever stated it', async () => {
  const other = `domain-${'2'.repeat(64)}`
  const given = {
    id: 'x',
    mode: 'association',
    relationships: ['resolves-to'],
    accuracy: 1,
    '@timestamp': '',
    lastSeen: 'then',
    visibleBy: [],
  } as const
  const { details } = await detailsOf(
    [state({})],
    [],
    [
      {
        ...given,
        entityID: ID,
        relatedEntityID: other,
        direction: 'outgoing',
        type: 'domain',
        value: 'a.b',
        reputation: -1,
      },
      {
        ...given,
        entityID: other,
        relatedEntityID: ID,
        direction: 'incoming',
        type: null,
        value: null,
        reputation: null,
      },
    ].map((one) => ({ ...one, relationships: ['resolves-to'], visibleBy: [] }) as Relation),
  )
  const stated = { mode: 'association', relationships: ['resolves-to'] }
  const common = { id: other, ...stated, accuracy_score: 1, last_seen: 'then' }
  expect(details?.latest_associations).toEqual([
    { ...common, direction: 'outgoing', type: 'domain', value: 'a.b', reputation: 'Poor', reputation_score: -1 },
    { ...common, direction: 'incoming', type: null, value: null, reputation: null, reputation_score: null },
  ])
})

test('a place is told as far as it is known', async () => {
  expect((await detailsOf([state({ asn: 64500 })])).details?.geolocations).toEqual([
    { object: '8.8.8.8', country: null, asn: 64500, aso: null, latitude: null, longitude: null, accuracy_radius: null },
  ])
  const point = { latitude: '52.5', longitude: '13.4', 'accuracy-radius': '1000' }
  expect((await detailsOf([state({ attributes: point })])).details?.geolocations).toMatchObject([
    { object: '8.8.8.8', country: null, latitude: 52.5, longitude: 13.4, accuracy_radius: 1000 },
  ])
  expect((await detailsOf([state({ attributes: { latitude: '52.5' } })])).details?.geolocations).toEqual([])
  expect((await detailsOf([state({})])).details?.geolocations).toEqual([])
})

test('activity has a point for each of 30 days that end today', async () => {
  const { details, asked } = await detailsOf([state({})], [{ day: '2026-03-09', records: '4' }])
  const points = details!.activity
  expect([points.length, points[0]?.timestamp, points.at(-1)?.timestamp]).toEqual([
    30,
    '2026-02-09T00:00:00.000Z',
    '2026-03-10T00:00:00.000Z',
  ])
  expect(points.filter((point) => point.count > 0)).toEqual([{ timestamp: '2026-03-09T00:00:00.000Z', count: 4 }])
  expect(asked[0]?.params).toMatchObject({ since: Date.parse('2026-02-09T00:00:00Z'), audiences: [1n] })
})
