import avsc from 'avsc'
import { expect, test } from 'vitest'
import { conflicts, isLevel, type Level } from '../../../../../connectors/registry/embedded/compatibility.ts'

const A = { name: 'a', type: 'int' }
const B = { name: 'b', type: 'string' }
const B_DEFAULT = { ...B, default: '' }
const record = (...fields: object[]) => avsc.Type.forSchema({ type: 'record', name: 'R', fields } as avsc.Schema)

const cases: { level: Level; versions: avsc.Type[]; candidate: avsc.Type; ok: boolean; name: string }[] = [
  { name: 'the first schema of a subject', level: 'FULL_TRANSITIVE', versions: [], candidate: record(A), ok: true },
  {
    name: 'a new field with a default',
    level: 'BACKWARD',
    versions: [record(A)],
    candidate: record(A, B_DEFAULT),
    ok: true,
  },
  { name: 'a new field without one', level: 'BACKWARD', versions: [record(A)], candidate: record(A, B), ok: false },
  { name: 'a field taken away', level: 'BACKWARD', versions: [record(A, B)], candidate: record(A), ok: true },
  { name: 'a new field without a default', level: 'FORWARD', versions: [record(A)], candidate: record(A, B), ok: true },
  { name: 'a field taken away', level: 'FORWARD', versions: [record(A, B)], candidate: record(A), ok: false },
  { name: 'a field taken away', level: 'FULL', versions: [record(A, B)], candidate: record(A), ok: false },
  {
    name: 'a field with a default taken away',
    level: 'FULL',
    versions: [record(A, B_DEFAULT)],
    candidate: record(A),
    ok: true,
  },
  {
    name: 'the last version alone counts',
    level: 'BACKWARD',
    versions: [record(A), record(A, B_DEFAULT)],
    candidate: record(A, B),
    ok: true,
  },
  {
    name: 'all versions count',
    level: 'BACKWARD_TRANSITIVE',
    versions: [record(A), record(A, B_DEFAULT)],
    candidate: record(A, B),
    ok: false,
  },
  { name: 'anything', level: 'NONE', versions: [record(A)], candidate: record(B), ok: true },
]
for (const { name, level, versions, candidate, ok } of cases)
  test(`${level}: ${name} is ${ok ? 'taken' : 'refused'}`, () => {
    expect(conflicts(level, candidate, versions).length === 0).toBe(ok)
  })

test('only the levels of the protocol are levels', () => {
  expect([isLevel('BACKWARD'), isLevel('backward'), isLevel(undefined)]).toEqual([true, false, false])
})
