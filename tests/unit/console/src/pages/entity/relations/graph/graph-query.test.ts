import { expect, test } from 'vitest'
import {
  graphQuery,
  MOST_TOGGLED,
  toggle,
} from '../../../../../../../../console/src/pages/entity/relations/graph/graph-query.ts'
import { markOf } from '../../../../../../../../console/src/pages/entity/relations/graph/marks.ts'
import { ways } from '../../../../../../../../console/src/pages/entity/relations/graph/ways.ts'
import { inTreeOrder, leadsTo } from '../../../../../../../../console/src/pages/entity/relations/layout/order.ts'
import { pictureName, scaleOf } from '../../../../../../../../console/src/pages/entity/relations/picture/picture.ts'

const ids = Array.from({ length: 30 }, (_, i) => `ip-${String(i).padStart(64, '0')}`)

test('an address asks for a graph of the sizes that there are, and names at most twenty nodes', () => {
  expect(graphQuery(new URLSearchParams('levels=2&nodes=300'))).toEqual({ levels: 2, most: 300, toggled: [] })
  expect(graphQuery(new URLSearchParams('levels=9&nodes=100000'))).toEqual({ levels: 1, most: 50, toggled: [] })
  const named = new URLSearchParams({ toggled: ['nonsense', ids[0], ids[0], ids[1]].join(',') })
  expect(graphQuery(named).toggled).toEqual([ids[0], ids[1]])
  expect(graphQuery(new URLSearchParams({ toggled: ids.join(',') })).toggled).toEqual(ids.slice(-MOST_TOGGLED))
})

test('to expand a node and to fold it again leaves the address as it was', () => {
  const one = toggle([], ids[0]!)
  expect(one).toBe(ids[0])
  expect(toggle([ids[0]!, ids[1]!], ids[0]!)).toBe(ids[1])
  expect(toggle([ids[0]!], ids[0]!)).toBe(null)
  expect(toggle(ids.slice(0, MOST_TOGGLED), ids[29]!)?.split(',')).toEqual([...ids.slice(1, MOST_TOGGLED), ids[29]])
})

test('the arrow keys go from a node to what hangs on it, and then to its neighbour', () => {
  const nodes = inTreeOrder([
    { id: 'root', parent: null },
    { id: 'a', parent: 'root' },
    { id: 'b', parent: 'root' },
    { id: 'a1', parent: 'a' },
  ])
  expect(nodes.map(({ id }) => id)).toEqual(['root', 'a', 'a1', 'b'])
  expect(['ArrowDown', 'ArrowUp', 'Home', 'End', 'x'].map((key) => leadsTo(key, 'a', nodes))).toEqual([
    'a1',
    'root',
    'root',
    'b',
    null,
  ])
  expect(leadsTo('ArrowDown', 'b', nodes)).toBe(null)
})

test('how a node hangs on another is said from its side, with the names of relations', () => {
  const node = (id: string, parent: string | null) => ({
    id,
    parent,
    type: 'ip',
    value: id,
    reputation: 0,
    accuracy: 0,
    tags: [],
    level: 0,
    open: false,
    more: 0,
  })
  const link = (source: string, target: string, mode: 'aggregation' | 'association', relationships: string[] = []) => ({
    source,
    target,
    mode,
    type: mode,
    relationships,
    lastSeen: '',
  })
  const told = ways({
    nodes: [node('root', null), node('a', 'root'), node('b', 'root'), node('c', 'a')],
    relations: [
      link('root', 'a', 'aggregation'),
      link('b', 'root', 'aggregation'),
      link('c', 'a', 'association', ['resolves-to']),
      link('b', 'c', 'association'),
    ],
    hidden: 0,
  })
  expect(Object.fromEntries(told)).toEqual({
    a: 'part of root',
    b: 'consists of root',
    c: 'related to a (resolves-to)',
  })
})

test('a file has a name that every system takes, and no more pixels than a browser draws', () => {
  const now = Date.UTC(2026, 10, 27, 23)
  expect(pictureName('https://Evil.example.org/../x', 'svg', now)).toBe(
    'harrier-graph-https-evil-example-org-x-2026-11-27.svg',
  )
  expect(pictureName('例え', 'png', now)).toBe('harrier-graph-entity-2026-11-27.png')
  expect([scaleOf(800, 600), scaleOf(16_384, 10)]).toEqual([2, 0.5])
})

test('types of one kind have one mark', () => {
  expect(['ip', 'domain', 'url', 'sha256', 'sha3-256', 'payload', 'person'].map(markOf)).toEqual([
    'circle',
    'square',
    'square',
    'diamond',
    'diamond',
    'diamond',
    'hexagon',
  ])
})
