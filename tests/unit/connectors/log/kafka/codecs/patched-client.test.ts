import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import '../../../../../../connectors/log/kafka/codecs/patched-client.ts'

const require = createRequire(import.meta.url)
const Decoder = require('kafkajs/src/protocol/decoder')
const Encoder = require('kafkajs/src/protocol/encoder')
const decodeRecord = require('kafkajs/src/protocol/recordBatch/record/v0/decoder')
const RequestQueue = require('kafkajs/src/network/requestQueue')

test('a record with 200,000 headers is read in no time', () => {
  const names = Array.from({ length: 200_000 }, (_, i) => `h${i}`)
  const encoded = new Encoder()
    .writeInt8(0)
    .writeVarLong(0)
    .writeVarInt(0)
    .writeVarIntBytes(null)
    .writeVarIntBytes(null)
  encoded.writeVarInt(names.length)
  for (const name of names) encoded.writeVarIntString(name).writeVarIntBytes(null)
  const began = performance.now()
  const { headers } = decodeRecord(new Decoder(encoded.buffer), { firstOffset: '0', firstTimestamp: '0' })
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(Object.keys(headers)).toHaveLength(names.length)
})

test('the client sets no timer that ends in the past, and does set those that it needs', () => {
  const queue = (given: object) =>
    Object.assign(Object.create(RequestQueue.prototype), {
      throttledUntil: -1,
      pending: [],
      throttleCheckTimeoutId: null,
      ...given,
    })
  const idle = queue({})
  idle.scheduleCheckPendingRequests()
  expect(idle.throttleCheckTimeoutId).toBeNull()
  for (const given of [{ pending: [{}] }, { throttledUntil: Date.now() + 60_000 }]) {
    const waiting = queue(given)
    waiting.scheduleCheckPendingRequests()
    expect(waiting.throttleCheckTimeoutId).not.toBeNull()
    clearTimeout(waiting.throttleCheckTimeoutId)
  }
})
