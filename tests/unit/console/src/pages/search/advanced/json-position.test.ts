import { expect, test } from 'vitest'
import { parseJson, positionOfParam } from '../../../../../../../console/src/pages/search/advanced/json-position.ts'

const TEXT = `{
  "query": {
    "must": [
      { "term": { "type": "ip" } },
      {
        "range": { "lastSeen": { "gte": "tomorrow, \\"maybe\\"" } }
      },
      { "terms": { "tags": ["a", 3] } }
    ]
  },
  "aggs": { "a": { "terms": { "field": "x" } } }
}`

const cases: [param: string, line: number, column: number][] = [
  ['query', 2, 3],
  ['query.must[0].term', 4, 9],
  ['query.must[1].range.lastSeen.gte', 6, 34],
  ['query.must[1]', 5, 7],
  ['query.must[2].terms.tags[1]', 8, 34],
  ['aggs.a.terms.field', 11, 31],
  ['aggs.a.terms.field.deeper', 11, 31],
]
for (const [param, line, column] of cases)
  test(`${param} stands in line ${line}`, () => expect(positionOfParam(TEXT, param)).toEqual({ line, column }))

test('what is not there has no place', () => expect(positionOfParam(TEXT, 'collapse.field')).toBe(null))

test('a fault of JSON has its place', () => {
  expect(parseJson('{"a": 1}')).toEqual({ value: { a: 1 } })
  expect(parseJson('{\n  "a": 1,\n  b\n}')).toMatchObject({ position: { line: 3, column: 3 } })
  expect(parseJson('{\n  "a":')).toMatchObject({ position: { line: 2, column: 7 } })
})
