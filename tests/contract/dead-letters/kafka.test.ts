import { describe, expect, test, vi } from 'vitest'
import { kafkaLog } from '../../../connectors/log/kafka/log.ts'
import { deadLettersContract } from './suite.ts'

const { KAFKA_BROKERS, CI } = process.env

// A read there is a consumer group of its own, which takes seconds.
vi.setConfig({ testTimeout: 120_000 })

if (KAFKA_BROKERS) {
  deadLettersContract('kafka', () =>
    kafkaLog({ brokers: KAFKA_BROKERS.split(','), sessionMs: 6_000, heartbeatMs: 300 }),
  )
} else {
  describe('kafka', () => {
    // A build that promises Kafka must not pass without having met one.
    test.skipIf(!CI)('KAFKA_BROKERS names a broker (infra/dev/kafka.sh starts one)', () => {
      expect(KAFKA_BROKERS).toBeDefined()
    })
  })
}
