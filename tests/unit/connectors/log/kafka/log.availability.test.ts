import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { LogUnavailable } from '../../../../../connectors/availability/port.ts'
import { answered } from '../../../../../connectors/log/kafka/log.ts'
import { LateBroker } from '../../../../../connectors/log/kafka/within.ts'
import { OffsetGone } from '../../../../../connectors/log/port.ts'

const require = createRequire(import.meta.url)
const errors = require('kafkajs/src/errors') as Record<string, new (...of: unknown[]) => Error>
const { createErrorFromCode } = require('kafkajs/src/protocol/error') as { createErrorFromCode(code: number): Error }

const failedBy = (error: Error): Promise<unknown> =>
  answered('asking', () => Promise.reject(error)).catch((thrown: unknown) => thrown)
const givenUp = (error: Error): Error =>
  new errors.KafkaJSNumberOfRetriesExceeded!(error, { retryCount: 1, retryTime: 1 })

test.each([
  new errors.KafkaJSConnectionError!('connect ECONNREFUSED 127.0.0.1:9092'),
  givenUp(new errors.KafkaJSConnectionError!('connect ECONNREFUSED 127.0.0.1:9092')),
  new errors.KafkaJSRequestTimeoutError!('late'),
  new errors.KafkaJSGroupCoordinatorNotFound!('Failed to find group coordinator'),
  // Too few replicas, a leader that moves, a coordinator that forgot a member.
  ...[19, 6, 25].map(createErrorFromCode),
  new LateBroker('asking', 1),
])('$message is the log that is unavailable for a while', async (error) => {
  const thrown = await failedBy(error)
  expect(thrown).toBeInstanceOf(LogUnavailable)
  expect((thrown as Error).cause).toBe(error)
})

test.each([
  createErrorFromCode(29),
  createErrorFromCode(10),
  new OffsetGone('t', 0, 1, { low: 2, high: 3 }),
  new Error('topic t does not exist'),
])('$message is not', async (error) => {
  expect(await failedBy(error)).toBe(error)
})

test('a broker that never answers is waited for as long as it may take', async () => {
  await expect(answered('asking', () => new Promise(() => undefined), 10)).rejects.toThrow(
    'asking: no answer within 10 ms',
  )
})
