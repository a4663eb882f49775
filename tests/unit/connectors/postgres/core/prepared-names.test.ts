import { expect, test } from 'vitest'
import { named, preparedNames } from '../../../../../connectors/postgres/core/prepared-names.ts'

test('what was added is prepared, each text under one name, and no more than two hundred', () => {
  const prepared = preparedNames()
  const texts = Array.from({ length: 201 }, (_, i) => `select ${i}`)
  expect(prepared.nameOf('select 0')).toBe(null)
  for (const text of [...texts, ...texts]) prepared.add(text)
  const names = texts.map(prepared.nameOf)
  expect(new Set(names.slice(0, 200)).size).toBe(200)
  expect(names[200]).toBe(null)
})

test('what returns all columns is never prepared: its plan would fail once a newer version has added one', () => {
  const prepared = preparedNames()
  const [all, some] = ['update "t" set "a" = $1 returning *', 'update "t" set "a" = $1 returning "a"']
  for (const text of [all, some]) prepared.add(text)
  expect([prepared.nameOf(all), prepared.nameOf(some)]).toEqual([null, 'decides_0'])
})

test('a statement goes to the client with its name, or with none', () => {
  const nameOf = (sql: string) => (sql === 'known' ? 'decides_0' : null)
  expect([named('known', ['a'], nameOf), named('new', [], nameOf)]).toEqual([
    { text: 'known', values: ['a'], name: 'decides_0' },
    { text: 'new', values: [] },
  ])
})
