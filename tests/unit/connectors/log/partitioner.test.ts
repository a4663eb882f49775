import fc from 'fast-check'
import kafkajs from 'kafkajs'
import { expect, test } from 'vitest'
import { murmur2, partitionOf } from '../../../../connectors/log/partitioner.ts'

const client = kafkajs.Partitioners.DefaultPartitioner()

test('every key has the partition that the client of Kafka gives it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 64 }), (bytes, partitions) => {
      const key = Buffer.from(bytes)
      const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
        partitionErrorCode: 0,
        partitionId,
        leader: 1,
        replicas: [1],
        isr: [1],
      }))
      expect(partitionOf(key, partitions)).toBe(
        client({ topic: 't', partitionMetadata, message: { key, value: null } }),
      )
    }),
    { numRuns: 500 },
  )
})

test('known hashes', () => {
  expect([
    murmur2(Buffer.from('21')),
    murmur2(Buffer.from('foobar')),
    murmur2(Buffer.from('a-little-bit-long-string')),
  ]).toEqual([-973932308, -790332482, -985981536])
})
