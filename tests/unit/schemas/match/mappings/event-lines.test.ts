import { describe, expect, test } from 'vitest'
import { lineMapper } from '../../../../../schemas/match/mappings/event-lines.ts'
import { AT, mapped } from '../../../../builders/feeds/mapped-lines.ts'

test('events go as they are', () => {
  const line = '{ "at": 1, "fields": {"query": "a"}, "unknown": true }'
  expect(lineMapper('ndjson')(line)).toEqual({ events: [line], left: 0 })
})

test('a mark of the encoding in front of a file is no part of its first line', () => {
  const line = '{"at": 1, "fields": {"query": "a"}}'
  expect(lineMapper('ndjson')(`\ufeff${line}`)).toEqual({ events: [line], left: 0 })
  const record = JSON.stringify({ ts: AT / 1000, query: 'a.example' })
  expect(mapped('zeek', `\ufeff${record}`)).toEqual(mapped('zeek', record))
})

describe('every format', () => {
  test.each(['zeek', 'eve', 'ecs', 'ocsf', 'ndjson'] as const)('%s says what is wrong with a line', (format) => {
    expect(mapped(format, '', '  ')).toEqual([])
    expect(mapped(format, '{"a"')).toEqual(['is not JSON'])
    if (format !== 'zeek')
      expect(mapped(format, '[]', '7')).toEqual(['is not an object of JSON', 'is not an object of JSON'])
  })

  test('needs a time where there is something to match', () => {
    expect(mapped('ecs', { dns: { question: { name: 'a.example' } } })).toEqual([
      'no time at @timestamp or event.created or event.start',
    ])
    expect(mapped('zeek', { ts: 'soon', query: 'a.example' })).toEqual(['no time at ts'])
  })

  test('a record with more answers than an event may have is several', () => {
    const answers = Array.from({ length: 70 }, (_, at) => `198.51.100.${at}`)
    const events = mapped('zeek', { ts: AT / 1000, query: 'a.example', answers }) as {
      fields: { query?: string; answers: string[] }
    }[]
    expect(events.map(({ fields }) => [fields.query, fields.answers.length])).toEqual([
      ['a.example', 31],
      [undefined, 32],
      [undefined, 7],
    ])
    expect(events.flatMap(({ fields }) => fields.answers)).toEqual(answers)
  })

  test('values that no event may have are left out and counted', () => {
    const record = {
      ts: AT / 1000,
      query: 'a.example',
      answers: ['x'.repeat(2_049), 'b\0', 'c.example', 'c.example', ' '],
    }
    const line = lineMapper('zeek')(JSON.stringify({ ...record, uid: 'u'.repeat(3_000), username: 'a'.repeat(256) }))
    expect(line).toEqual({
      events: [JSON.stringify({ at: AT, kind: 'dns', fields: { query: 'a.example', answers: ['c.example'] } })],
      left: 2,
    })
  })
})
