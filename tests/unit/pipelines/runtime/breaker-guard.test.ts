import { expect, test } from 'vitest'
import { IN_A_ROW } from '../../../../pipelines/runtime/breaker.ts'
import { BreakerOpen, breaker } from '../../../../pipelines/runtime/breaker-guard.ts'

const TOPIC = 'entity.submissions'

/** A batch of one partition in which everything from `deadFrom` on is dead. */
function batch(from: number, count: number, { partition = 0, deadFrom = 0 } = {}) {
  const messages = Array.from({ length: count }, (_, i) => ({
    ...{ offset: from + i, timestamp: 0, key: null, value: null, headers: {} },
  }))
  const dead = messages.slice(deadFrom).map((message) => ({ message, reason: `bad ${message.offset % 7}` }))
  return [{ topic: TOPIC, partition, from, to: from + count, messages }, dead] as const
}

test('a batch that is handed out again counts once', () => {
  const own = breaker()
  for (let tries = 0; tries < 5; tries++) own.judge(...batch(0, IN_A_ROW - 1))
  expect(() => own.judge(...batch(IN_A_ROW - 1, 1))).toThrow(BreakerOpen)
})

test('it says of what, how many in a row, and the first reasons once each', () => {
  try {
    breaker().judge(...batch(0, 5000, { deadFrom: 10 }))
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(BreakerOpen)
    const { topic, trip, reasons } = error as BreakerOpen
    expect({ topic, run: trip.run, reasons }).toEqual({
      topic: TOPIC,
      run: IN_A_ROW,
      reasons: ['bad 3', 'bad 4', 'bad 5', 'bad 6', 'bad 0'],
    })
  }
})

test('what it refused counts again when it is handed out again', () => {
  const own = breaker()
  expect(() => own.judge(...batch(0, IN_A_ROW))).toThrow(BreakerOpen)
  expect(() => own.judge(...batch(0, IN_A_ROW))).toThrow(BreakerOpen)
})

test('an allowance lets so many die, over partitions and batches, and not one more', () => {
  const own = breaker()
  own.reset(2500)
  own.judge(...batch(0, 1500))
  own.judge(...batch(0, 1500, { partition: 1 }))
  // 500 of them counted: 499 more, and then one.
  own.judge(...batch(1500, IN_A_ROW - 501))
  expect(() => own.judge(...batch(1500, 1, { partition: 1 }))).toThrow(BreakerOpen)
})
