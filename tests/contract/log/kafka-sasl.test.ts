import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { kafkaLog } from '../../../connectors/log/kafka/log.ts'

/** A listener of `infra/dev/kafka.sh` that takes nobody without a name. */
const { KAFKA_SASL_BROKERS, CI } = process.env

describe('a broker that asks for a name', () => {
  if (!KAFKA_SASL_BROKERS) {
    test.skipIf(!CI)('KAFKA_SASL_BROKERS names one (infra/dev/kafka.sh starts it)', () => {
      expect(KAFKA_SASL_BROKERS).toBeDefined()
    })
    return
  }
  const brokers = KAFKA_SASL_BROKERS.split(',')
  const sasl = { mechanism: 'scram-sha-512', username: 'harrier', password: 'harrier-dev' } as const

  test('takes records from who has it and its password', async () => {
    const log = await kafkaLog({ brokers, sasl })
    try {
      const name = `sasl-${randomUUID()}`
      await log.createTopics([{ name, partitions: 1, cleanup: 'delete', retentionMs: null }])
      await log.send([{ topic: name, messages: [{ key: 'k', value: Buffer.from('v') }] }])
      expect(await log.offsets(name)).toEqual([{ partition: 0, low: 0, high: 1 }])
    } finally {
      await log.close()
    }
  })

  test('is not opened with another password, even after the right one', async () => {
    await expect(kafkaLog({ brokers, sasl: { ...sasl, password: 'guessed' } })).rejects.toThrow(/authentication/i)
  })
})
