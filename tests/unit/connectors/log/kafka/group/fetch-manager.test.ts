import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const PATCHED = new URL('../../../../../../connectors/log/kafka/codecs/patched-client.ts', import.meta.url)
/** Far more than it takes to stop; a loop that never turns is given up. */
const DEADLINE_MS = 20_000

/**
 * A consumer of two brokers, in a thread of its own: a third broker comes, one fetcher has noticed while the request of
 * the other one is still out, and in this moment the consumer is stopped. Tells when it has stopped.
 */
const source = `
  import('${PATCHED}').then(async () => {
    const require = process.getBuiltinModule('node:module').createRequire('${PATCHED}')
    const Runner = require('kafkajs/src/consumer/runner')
    const { parentPort } = require('node:worker_threads')
    const quiet = { info() {}, debug() {}, warn() {}, error() {}, namespace: () => quiet }
    const turns = () => new Promise((resolve) => setTimeout(resolve, 20))
    let nodes = ['1', '2']
    let answer
    const out = new Promise((resolve) => (answer = resolve))
    const group = {
      groupId: 'g', memberId: 'm', connect: turns, joinAndSync: turns, leave: turns, heartbeat: turns,
      getNodeIds: () => nodes,
      fetch: async (node) => (node === '2' ? out : (await turns(), [])),
    }
    const runner = new Runner({
      logger: quiet, consumerGroup: group, instrumentationEmitter: { emit() {} }, concurrency: 1,
      eachBatch: turns, heartbeatInterval: 1000, retry: {}, autoCommit: false,
      onCrash: (error) => parentPort.postMessage(String(error)),
    })
    await runner.start()
    await turns()
    nodes = ['1', '2', '3']
    await turns()
    await turns()
    const stopped = runner.stop()
    answer([])
    await stopped
    await turns()
    parentPort.postMessage('stopped')
  })`

test('a consumer that is stopped while its brokers change has stopped, and the process goes on', async () => {
  const worker = new Worker(source, { eval: true })
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  worker.once('message', resolve)
  worker.once('error', reject)
  const timer = setTimeout(resolve, DEADLINE_MS, 'its loop does not turn')
  const end = await promise
  clearTimeout(timer)
  await worker.terminate()
  expect(end).toBe('stopped')
})
