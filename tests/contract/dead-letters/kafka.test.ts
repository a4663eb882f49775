import { vi } from 'vitest'
import { kafkaLog } from '../../../connectors/log/kafka/log.ts'
import { promised } from '../../builders/suite/promised.ts'
import { deadLettersContract } from './suite.ts'

// A read there is a consumer group of its own, which takes seconds.
vi.setConfig({ testTimeout: 120_000 })

promised(['KAFKA_BROKERS'], ({ KAFKA_BROKERS }) => {
  deadLettersContract('kafka', () =>
    kafkaLog({ brokers: KAFKA_BROKERS.split(','), sessionMs: 6_000, heartbeatMs: 300 }),
  )
})
