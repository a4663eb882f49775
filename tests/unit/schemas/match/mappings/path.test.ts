import { expect, test } from 'vitest'
import { compilePath } from '../../../../../schemas/match/mappings/path.ts'

test.each<[string, unknown, string[]]>([
  ['a.b.c', { a: { b: { c: 'x' } } }, ['x']],
  ['a.b.c', { 'a.b.c': 'x' }, ['x']],
  ['a.b.c', { a: { 'b.c': 'x' }, 'a.b': { c: 'y' } }, ['x', 'y']],
  ['a.b', { a: [{ b: 'x' }, { b: ['y', 7] }, { c: 'z' }, null, 'w'] }, ['x', 'y', '7']],
  ['a', { a: true }, []],
  ['a', { a: null }, []],
  ['a', null, []],
  ['a', 'text', []],
  ['toString', {}, []],
  ['a.length', { a: 'text' }, []],
  [
    'h.[id=1].v',
    {
      h: [
        { id: 1, v: 'x' },
        { id: 2, v: 'y' },
        { id: '1', v: 'z' },
      ],
    },
    ['x', 'z'],
  ],
  ['[k].v', { k: null, v: 'x' }, ['x']],
  ['[k].v', { v: 'x' }, []],
  ['[k].v.w', { k: 1, 'v.w': 'x' }, ['x']],
])('%s of %j', (path, record, found) => {
  expect(compilePath(path)(record)).toEqual(found)
})

test('lists that nest without end have no value', () => {
  const deep = JSON.parse(`{"a":${'['.repeat(100_000)}"x"${']'.repeat(100_000)}}`)
  expect(compilePath('a')(deep)).toEqual([])
})
