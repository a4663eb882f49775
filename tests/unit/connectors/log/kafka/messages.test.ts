import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromKafka, headerBytes } from '../../../../../connectors/log/kafka/messages.ts'
import { rawRecord } from '../../../../builders/log/raw-records.ts'

const record = { offset: '5', key: null, value: null, timestamp: '1', attributes: 0 }
const headersOf = (headers: object) => fromKafka({ ...record, headers: headers as never }).headers

test('whatever a producer wrote becomes a record: key and value as they are, headers as texts, a time that is one', () => {
  fc.assert(
    fc.property(rawRecord, (raw) => {
      const message = fromKafka({ ...raw, offset: '5' } as never)
      expect(message.key).toBe(raw.key)
      expect(message.value).toBe(raw.value)
      expect(() => new Date(message.timestamp).toISOString()).not.toThrow()
      expect(Object.keys(message.headers).sort()).toEqual(Object.keys(raw.headers!).sort())
      for (const [name, given] of Object.entries(raw.headers!)) {
        const last = (Array.isArray(given) ? given.at(-1) : given) as Buffer | null
        expect(headerBytes(message.headers[name]!)).toEqual(last ?? Buffer.alloc(0))
      }
    }),
  )
})

test('a header of null is an empty one, bytes that are no text are named as such', () => {
  expect(
    headersOf({ none: null, empty: Buffer.alloc(0), binary: Buffer.from([0xff, 0]), twice: [null, Buffer.from('b')] }),
  ).toEqual({
    none: '',
    empty: '',
    binary: 'base64:/wA=',
    twice: 'b',
  })
})

test('a header with the name of the prototype is a header', () => {
  expect(Object.keys(headersOf(JSON.parse('{"__proto__": "x", "constructor": "y"}')))).toEqual([
    '__proto__',
    'constructor',
  ])
})

test('no record is checked for its header: that is the word of a producer', () => {
  const message = fromKafka({ ...record, headers: { checked: Buffer.from('1') } })
  expect([message.checked, message.headers]).toEqual([undefined, { checked: '1' }])
})
