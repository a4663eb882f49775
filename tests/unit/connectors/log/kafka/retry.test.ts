import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { isRefused } from '../../../../../connectors/log/kafka/retry.ts'

const require = createRequire(import.meta.url)
const errors = require('kafkajs/src/errors') as Record<string, new (...of: unknown[]) => Error>
const { createErrorFromCode } = require('kafkajs/src/protocol/error') as { createErrorFromCode(code: number): Error }

const ofBroker = (code: number): [string, Error] => {
  const error = createErrorFromCode(code)
  return [(error as Error & { type: string }).type, error]
}

test.each([29, 17, 35].map(ofBroker))('%s is refused for good', (_, error) => {
  expect(isRefused(error)).toBe(true)
  expect(isRefused(new errors.KafkaJSNumberOfRetriesExceeded!(error, { retryCount: 1, retryTime: 1 }))).toBe(true)
})

test.each([
  // Leaders that move, disks that fail, an answer that this client does not know.
  ...[3, 5, 6, 9, 56, 74, 75, 78, -1, 8, 9_999].map(ofBroker),
  ['a connection', new errors.KafkaJSConnectionError!('gone')],
  ['a timeout', new errors.KafkaJSRequestTimeoutError!('late')],
  ['a lock that is held too long', new errors.KafkaJSLockTimeout!('held')],
  ['a name while the connection breaks', new errors.KafkaJSSASLAuthenticationError!('Connection closed')],
  ['the state of the client', new TypeError('undefined')],
] as [string, Error][])('%s may pass', (_, error) => {
  expect(isRefused(error)).toBe(false)
})
