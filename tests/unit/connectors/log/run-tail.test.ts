import { expect, test } from 'vitest'
import { runTail, type TailRun } from '../../../../connectors/log/run-tail.ts'

test('stop waits for what is followed; a stopped tail closes without an error, however often it is stopped', async () => {
  const gate = Promise.withResolvers<void>()
  let isStopped = false
  const tail = runTail(() => gate.promise)
  const stops = [tail.stop(), tail.stop()].map((stop) => stop.then(() => (isStopped = true)))
  await Promise.resolve()
  expect(isStopped).toBe(false)
  gate.resolve()
  await Promise.all(stops)
  await tail.closed
})

test('the first failure ends everything else and is the one that is told, also after a stop', async () => {
  const run = Promise.withResolvers<TailRun>()
  const gate = Promise.withResolvers<void>()
  const tail = runTail((given) => {
    run.resolve(given)
    return gate.promise
  })
  const { signal, fail } = await run.promise
  void tail.stop()
  expect(signal.aborted).toBe(true)
  fail(new Error('first'))
  fail(new Error('second'))
  gate.reject(new Error('third'))
  await expect(tail.closed).rejects.toThrow('first')
  await tail.stop()
})

test('what is thrown while following is the failure', async () => {
  await expect(runTail(() => Promise.reject(new Error('gone'))).closed).rejects.toThrow('gone')
})
