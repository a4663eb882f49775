import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { type Statement, StatementsInUse } from '../../../../../connectors/feeds/statements/port.ts'
import { openStatements } from '../../../../../connectors/feeds/statements/sqlite.ts'

const folder = await mkdtemp(join(tmpdir(), 'harrier-statements-'))
const HOW = { stamp: 1, settings: 's' }
const statement = (n: number, at: number, ...entities: string[]): Statement => ({
  n,
  digest: `d${n}`,
  at,
  said: entities.map((entityId) => ({ entityId, content: `c-${entityId}-${n}` })),
})

test('what was stated is there after the file was opened again, by one import at a time', () => {
  const path = join(folder, 'imports', 'one.sqlite')
  const store = openStatements(path)
  store.begin(10)
  store.replace('here', 'a', HOW, { added: [statement(1, 10, 'x'), statement(2, 11, 'y')], gone: [] })
  expect(() => openStatements(path)).toThrow(StatementsInUse)
  store.markSent([1])
  store.keepMarks([{ partition: 0, offset: 7 }])
  const { seed } = store.position()
  store.close()
  const again = openStatements(path)
  expect(again.position()).toEqual({ seed, n: 2, at: 11, firstUnsent: 2, marks: [{ partition: 0, offset: 7 }] })
  expect(again.event('here', 'a')).toEqual({ ...HOW, isSent: false })
  expect([again.event('here', 'b'), again.event('there', 'a')]).toEqual([null, null])
  expect([...again.statements('here', 'a')]).toEqual([
    ['d1', { n: 1, at: 10, sent: true }],
    ['d2', { n: 2, at: 11, sent: false }],
  ])
  again.close()
})

test('a change that fails half way changes nothing', () => {
  const store = openStatements(':memory:')
  const twice = { added: [statement(1, 10, 'x'), statement(1, 10, 'x')], gone: [] }
  expect(() => store.replace('here', 'a', HOW, twice)).toThrow()
  expect([store.event('here', 'a'), store.position().n]).toEqual([null, 0])
  store.close()
})

test('one window takes back what left in one run, and another for each moment beside what stays', () => {
  const store = openStatements(':memory:')
  store.begin(10)
  store.replace('here', 'a', HOW, { added: [statement(1, 10, 'x'), statement(2, 12, 'y', 'z')], gone: [] })
  store.replace('here', 'b', HOW, { added: [statement(3, 14, 'x')], gone: [] })
  store.begin(20)
  store.replace('here', 'c', HOW, { added: [statement(4, 20, 'v')], gone: [] })
  store.markSent([1, 2, 3, 4])
  store.forget('here', 'a')
  store.forget('here', 'c')
  store.reconcile()
  expect([store.owes(), store.events('here')]).toEqual([4, ['b']])
  const pages = []
  for (let owed = store.owed(); owed !== null; owed = store.owed()) {
    pages.push(owed)
    store.settle(owed)
  }
  expect(pages).toEqual([
    { from: 10, to: 12, entityIds: ['x', 'y', 'z'] },
    { from: 20, to: 20, entityIds: ['v'] },
  ])
  store.forget('here', 'b')
  expect(store.owed()).toEqual({ from: 14, to: 14, entityIds: ['x'] })
  store.close()
})

test('a window beside a statement that stays inside of it is of one moment', () => {
  const store = openStatements(':memory:')
  store.begin(10)
  store.replace('here', 'a', HOW, { added: [statement(1, 10, 'x'), statement(2, 12, 'x')], gone: [] })
  store.replace('here', 'b', HOW, { added: [statement(3, 11, 'x')], gone: [] })
  store.markSent([3])
  store.forget('here', 'a')
  expect(store.owed()).toEqual({ from: 10, to: 10, entityIds: ['x'] })
  store.close()
})

test('a file of a later version is refused', () => {
  const path = join(folder, 'later.sqlite')
  openStatements(path).close()
  const db = new DatabaseSync(path)
  db.exec('PRAGMA user_version = 9')
  db.close()
  expect(() => openStatements(path)).toThrow('was written by a later version')
})

test('what an entity is not said to be any more waits until what is said of it now is sent', () => {
  const store = openStatements(':memory:')
  store.begin(10)
  store.replace('here', 'a', HOW, { added: [statement(1, 10, 'x'), statement(2, 11, 'y')], gone: [] })
  store.markSent([1, 2])
  store.begin(20)
  store.replace('here', 'a', HOW, { added: [statement(3, 20, 'x')], gone: [1, 2] })
  store.reconcile()
  const owed = store.owed()!
  expect(owed.entityIds).toEqual(['y'])
  store.settle(owed)
  expect([store.owed(), store.owes()]).toEqual([null, 1])
  store.markSent([3])
  expect(store.owed()).toEqual({ from: 10, to: 10, entityIds: ['x'] })
  store.close()
})
