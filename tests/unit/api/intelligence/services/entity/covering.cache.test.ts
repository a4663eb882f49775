import { expect, test } from 'vitest'
import { coverings } from '../../../../../../api/intelligence/services/entity/covering.ts'
import type { Query } from '../../../../../../connectors/history/port.ts'

test('networks of a reader that is in use stay known when others come', async () => {
  let queries = 0
  const query = async () => {
    queries++
    return []
  }
  const { covering } = coverings({ query }, { views: async () => new Map() }, () => 1)
  const ask = (audience: number) => {
    const audiences = [BigInt(audience)]
    return covering({ groups: [], audiences, own: audiences, visibleBy: () => [] }, ['192.0.2.1'])
  }
  for (let i = 0; i < 16; i++) await ask(i)
  await ask(0)
  await ask(16)
  await ask(0)
  expect(queries).toBe(17)
  await ask(1)
  expect(queries).toBe(18)
})

test('of a reader of many networks, those around single addresses are asked for together', async () => {
  const asked: unknown[] = []
  const history = {
    query: async <Row>({ params }: Query) => {
      asked.push(params.ips)
      const rows = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24']
      const of = <T>(one: T) => rows.map(() => one)
      return [{ value: rows, reputation: of(-1), accuracy: of(1), marks: of(0), tags: of([]), last: of('0') }] as Row[]
    },
  }
  const { covering } = coverings(history, { views: async () => new Map() }, () => 1, { all: 0 })
  const reader = { groups: [], audiences: [1n], own: [], visibleBy: () => [] }
  const ips = ['192.0.2.1', '198.51.100.1', '8.8.8.8', '192.0.2.1']
  const found = await Promise.all(ips.map((ip) => covering(reader, [ip])))
  expect(found.map((by) => [...by].map(([ip, networks]) => [ip, networks.map(({ value }) => value)]))).toEqual([
    [['192.0.2.1', ['192.0.2.0/24']]],
    [['198.51.100.1', ['198.51.100.0/24']]],
    [],
    [['192.0.2.1', ['192.0.2.0/24']]],
  ])
  // All of them are too many to be kept.
  expect(asked).toEqual([undefined, ips.slice(0, 3)])
})
