import { describe, expect, test } from 'vitest'
import type { EntityViews } from '../../../../../../api/intelligence/services/entity/entity-views.ts'
import { relationGraph } from '../../../../../../api/intelligence/services/entity/relation-graph.ts'
import { relations } from '../../../../../../api/intelligence/services/entity/relations-service.ts'
import { PageTooDeep } from '../../../../../../api/intelligence/services/page-depth.ts'
import type { Reader } from '../../../../../../api/intelligence/services/readers.ts'
import type { History, Query } from '../../../../../../connectors/history/port.ts'
import { relationId } from '../../../../../../schemas/intelligence/observations/relation.ts'
import { builtIn } from '../../../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityState } from '../../../../../../schemas/intelligence/state/entity-state.ts'
import { fold } from '../../../../../../schemas/intelligence/state/entity-view.ts'
import { entityRow } from '../../../../../builders/intelligence/entity-row.ts'

const id = (n: number) => `ip-${String(n).padStart(64, '0')}`

const reader: Reader = {
  groups: ['public', 'blue', 'red'],
  audiences: [1n, 2n, 3n],
  own: [2n, 3n],
  visibleBy: (audience) => (audience === 1n ? ['public'] : audience === 2n ? ['red', 'blue'] : ['blue']),
}

const state = (n: number): EntityState =>
  entityRow({
    entityId: id(n),
    value: `8.8.8.${n}`,
    reputation: -1,
    accuracy: 1,
    best: -1,
    worst: -1,
    sources: 1,
  })

/** Entities that the reader may read. */
const readable = (...numbers: number[]): EntityViews => {
  const known = new Map(numbers.map((n) => [id(n), state(n)]))
  const of = (ids: readonly string[]) => ids.flatMap((wanted) => known.get(wanted) ?? [])
  return {
    states: async (_, ids) => new Map(of(ids).map((s) => [s.entityId, [s]])),
    views: async (_, ids) => new Map(of(ids).map((s) => [s.entityId, s])),
    scoring: builtIn,
    fold: async (rows) => fold(rows),
  }
}

/** A store that answers by what a query says, and keeps what it was asked. */
function answering(answers: Record<string, object[]>) {
  const asked: Query[] = []
  const history: Pick<History, 'query'> = {
    query: async <Row>(query: Query) => {
      asked.push(query)
      return (Object.entries(answers).find(([says]) => query.sql.includes(says))?.[1] ?? []) as Row[]
    },
  }
  return { asked, history }
}

const PAGE = 'groupUniqArray'
const COUNT = 'AS relations FROM'
const row = (n: number, outgoing: number, audiences: string[]) => ({
  related_id: id(n),
  mode: 'association',
  outgoing,
  audiences,
  relationships: outgoing === 1 ? ['resolves-to', 'uses'] : [],
  first: '1000',
  last: '2000',
})
const question = { id: id(1), types: null, limit: 10, page: 1 }

describe('relations of an entity', () => {
  test('say of the other end what may be read of it, and show the groups of the reader once', async () => {
    const rows = [row(2, 1, ['2', '3']), row(3, 0, ['1'])]
    const { history } = answering({ [COUNT]: [{ relations: '2' }], [PAGE]: rows })
    const page = await relations(history, readable(1, 2)).page(reader, question)
    const times = { '@timestamp': '1970-01-01T00:00:01.000Z', lastSeen: '1970-01-01T00:00:02.000Z' }
    const [first, second] = [
      { mode: 'association' as const, source: id(1), target: id(2) },
      { mode: 'association' as const, source: id(3), target: id(1) },
    ]
    expect(page).toEqual({
      items: 2,
      pages: 1,
      results: [
        {
          id: relationId(first),
          entityID: id(1),
          relatedEntityID: id(2),
          mode: 'association',
          relationships: ['resolves-to', 'uses'],
          ...times,
          direction: 'outgoing',
          type: 'ip',
          value: '8.8.8.2',
          reputation: -1,
          accuracy: 1,
          visibleBy: ['blue', 'red'],
        },
        {
          id: relationId(second),
          entityID: id(3),
          relatedEntityID: id(1),
          mode: 'association',
          relationships: [],
          ...times,
          direction: 'incoming',
          type: null,
          value: null,
          reputation: null,
          accuracy: null,
          visibleBy: ['public'],
        },
      ],
    })
  })

  test('of an entity that may not be read are not asked for', async () => {
    const { history, asked } = answering({})
    expect(await relations(history, readable(2)).page(reader, question)).toBeNull()
    expect(asked).toEqual([])
  })

  test('are not asked for past the last page', async () => {
    const { history, asked } = answering({ [COUNT]: [{ relations: '20' }] })
    const page = await relations(history, readable(1)).page(reader, { ...question, page: 1_000_000_000 })
    expect(page).toEqual({ items: 20, pages: 2, results: [] })
    expect(asked).toHaveLength(1)
  })

  test('can be paged to a bound', async () => {
    const { history, asked } = answering({ [COUNT]: [{ relations: '1000000' }] })
    const service = relations(history, readable(1))
    await service.page(reader, { ...question, page: 10_000 })
    expect(asked.at(-1)?.params).toMatchObject({ limit: 10, offset: 99_990 })
    await expect(service.page(reader, { ...question, page: 10_001 })).rejects.toThrow(PageTooDeep)
  })
})

describe('the graph around an entity', () => {
  const NEIGHBOURS = 'BY entity_id'
  const star = (n: number) => Array.from({ length: n }, (_, i) => ({ entity_id: id(1), related_id: id(i + 2) }))
  const everyone = readable(...Array.from({ length: 30 }, (_, i) => i + 1))

  test('is of the chosen entities alone', async () => {
    const { history, asked } = answering({ [NEIGHBOURS]: star(3) })
    const graph = await relationGraph(history, readable(1, 2, 4))(reader, { id: id(1), levels: 1, limit: 50 })
    expect([graph?.nodes.map((node) => node.id), graph?.truncated]).toEqual([[id(1), id(2), id(4)], false])
    expect(asked.at(-1)?.params).toMatchObject({ ids: [id(1), id(2), id(4)], audiences: [1n, 2n, 3n] })
  })

  test('asks for more neighbours of each than fit, and says when there were more still', async () => {
    const { history, asked } = answering({ [NEIGHBOURS]: star(21) })
    // Few of them are to be seen, so that the limit is not what cuts.
    const graph = await relationGraph(history, readable(1, 2))(reader, { id: id(1), levels: 1, limit: 10 })
    expect([graph?.nodes.length, graph?.truncated]).toEqual([2, true])
    expect(asked[0]?.params).toMatchObject({ each: 21, limit: 5_001 })
  })

  test('has a bounded number of relations', async () => {
    const link = { entity_id: id(1), related_id: id(2), mode: 'association', last: '2000' }
    const { history } = answering({ [NEIGHBOURS]: star(1), 'outgoing = 1': Array(10_001).fill(link) })
    const graph = await relationGraph(history, everyone)(reader, { id: id(1), levels: 1, limit: 10 })
    expect([graph?.relations.length, graph?.truncated]).toEqual([10_000, true])
  })
})
