import { expect, test } from 'vitest'
import type { Block } from '../../../../builders/infra/page.ts'
import { unlikeShown } from '../../../../builders/infra/shown-output.ts'

const sh: Block = { language: 'sh', info: '', code: 'ask', section: '', follows: null }
const faults = (code: string, stdout: string, info = '', language = 'json') =>
  unlikeShown([sh, { language, info, code, section: '', follows: sh }], sh, { code: 0, stdout, stderr: '' })

test.each([
  ['the same', '{"a": "x", "n": 1}', '{"a":"x","n":7}'],
  [
    'times and ids of its own',
    '{"id": "ip-0123456789abcdef", "at": "2026-01-01T00:00:00Z"}',
    '{"id":"ip-fedcba9876543210","at":"2025-02-03T04:05:06.789Z"}',
  ],
  ['further members', '{"a": "x", …}', '{"a":"x","b":[1]}'],
  ['any value', '{"a": …, "b": [1, …]}', '{"a":{"c":1},"b":[5,6,7]}'],
  ['a part of a text', '{"a": "from … to"}', '{"a":"from here to"}'],
  ['lines', '{"line": 1, …}\n{"end": true}', 'noise\n{"line":3,"x":0}\n{"end":true}'],
  ['the last document', '{"a": 1}', 'a first line\n{"a":1}'],
])('an answer with %s is as shown', (_, shown, real) => expect(faults(shown, real)).toEqual([]))

test.each([
  ['another text', '{"a": "x"}', '{"a":"y"}', '$.a: y'],
  ['another type', '{"a": 1}', '{"a":"1"}', '$.a: string'],
  ['a missing member', '{"a": 1, …}', '{"b":1}', '$.a: missing'],
  ['a member that is not shown', '{"a": 1}', '{"a":1,"b":2}', '$.b: not shown'],
  ['fewer items', '[1, 2]', '[1]', '$: 1 items'],
  ['another truth', '{"a": true}', '{"a":false}', '$.a: false'],
])('an answer with %s is not', (_, shown, real, fault) => expect(faults(shown, real)).toEqual([fault]))

test('lines of an output are looked for in their order', () => {
  expect(faults('2 published, …\nline 3: …', '2 published, 1 rejected\nline 3: no', 'output', 'text')).toEqual([])
  expect(faults('b\na', 'a\nb\n', 'output', 'text')).toEqual(['not printed: a'])
})

test('output that is no JSON is a failure', () => {
  expect(() => faults('{"a": 1}', 'not found')).toThrow('no JSON at the end of: not found')
})
