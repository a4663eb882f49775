import { describe, expect, test } from 'vitest'
import { IN_A_ROW } from '../../../../../pipelines/runtime/breakers/breaker-window.ts'
import { BreakerOpen, groupBreaker, type SourceAlone } from '../../../../../pipelines/runtime/breakers/group-breaker.ts'

const TOPIC = 'entity.submissions'

/** A batch of one partition in which everything from `deadFrom` on is dead. */
function batch(from: number, count: number, { partition = 0, deadFrom = 0 } = {}) {
  const messages = Array.from({ length: count }, (_, i) => ({
    offset: from + i,
    timestamp: 0,
    key: null,
    value: null,
    headers: {},
  }))
  const dead = messages.slice(deadFrom).map((message) => ({ message, reason: `bad ${message.offset % 7}` }))
  return [{ topic: TOPIC, partition, from, to: from + count, messages }, dead] as const
}

test('a batch that is handed out again counts once', () => {
  const own = groupBreaker()
  for (let tries = 0; tries < 5; tries++) own.judge(...batch(0, IN_A_ROW - 1))
  expect(() => own.judge(...batch(IN_A_ROW - 1, 1))).toThrow(BreakerOpen)
})

test('it says of what, how many in a row, and the first reasons once each', () => {
  try {
    groupBreaker().judge(...batch(0, 5000, { deadFrom: 10 }))
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
  const own = groupBreaker()
  expect(() => own.judge(...batch(0, IN_A_ROW))).toThrow(BreakerOpen)
  expect(() => own.judge(...batch(0, IN_A_ROW))).toThrow(BreakerOpen)
})

test('an allowance lets so many die, over partitions and batches, and not one more', () => {
  const own = groupBreaker()
  own.reset(2500)
  own.judge(...batch(0, 1500))
  own.judge(...batch(0, 1500, { partition: 1 }))
  // 500 of them counted: 499 more, and then one.
  own.judge(...batch(1500, IN_A_ROW - 501))
  expect(() => own.judge(...batch(1500, 1, { partition: 1 }))).toThrow(BreakerOpen)
})

describe('a source whose records are dead', () => {
  /** Records in turns of a good source and a bad one. */
  function mixed(from: number, count: number) {
    const [given] = batch(from, count)
    const bad = given.messages.filter(({ offset }) => offset % 2 === 1)
    return [given, bad.map((message) => ({ message, reason: 'a wrong clock' })), sourceOf] as const
  }
  const sourceOf = ({ offset }: { offset: number }) => (offset % 2 === 1 ? 'feed:bad' : 'feed:good')

  test('stands alone, is told of once, and stops nobody, however much comes of it', () => {
    const told: SourceAlone[] = []
    const own = groupBreaker((alone) => told.push(alone))
    for (let from = 0; from < 40_000; from += 5_000) own.judge(...mixed(from, 5_000))
    expect(told).toMatchObject([{ topic: TOPIC, source: 'feed:bad', reasons: ['a wrong clock'] }])
  })

  test('is judged anew when it stands alone no more', () => {
    const told: SourceAlone[] = []
    const own = groupBreaker((alone) => told.push(alone))
    own.judge(...batch(0, IN_A_ROW), () => 'feed:bad')
    own.setAlone(['feed:bad'])
    own.judge(...batch(1_000, IN_A_ROW), () => 'feed:bad')
    expect(told).toHaveLength(1)
    own.setAlone([])
    own.judge(...batch(2_000, IN_A_ROW), () => 'feed:bad')
    expect(told).toHaveLength(2)
  })

  test('does not keep the breaker from what is dead of everybody else', () => {
    const own = groupBreaker()
    own.setAlone(['feed:bad'])
    const sources = ['feed:bad', 'feed:a', 'feed:b', 'feed:c', 'feed:d']
    own.judge(...batch(0, 1_200), ({ offset }) => sources[offset % 5]!)
    expect(() => own.judge(...batch(1_200, 100), ({ offset }) => sources[offset % 5]!)).toThrow(BreakerOpen)
  })

  test('that another process found counts no more for what was seen before: others are not blamed for it', () => {
    const told: SourceAlone[] = []
    const own = groupBreaker((alone) => told.push(alone))
    const sources = ['feed:bad', 'feed:a', 'feed:b', 'feed:c']
    const of = (dead: (offset: number) => boolean, from: number, count: number) => {
      const [given] = batch(from, count)
      const bad = given.messages.filter(({ offset }) => dead(offset))
      return [given, bad.map((message) => ({ message, reason: 'bad' })), whose] as const
    }
    const whose = ({ offset }: { offset: number }) => sources[offset % 4]!
    // Below the threshold here: 400 dead ones of the bad source among 10,000.
    own.judge(...of((offset) => offset % 4 === 0 && offset >= 8_400, 0, 10_000))
    own.setAlone(['feed:bad'])
    // 120 dead ones of all others: with those they would be more than 5 %.
    own.judge(...of((offset) => offset % 4 !== 0 && offset < 10_160, 10_000, 1_000))
    expect(told).toEqual([])
  })

  test('quotes reasons of a bounded length', () => {
    const [given, dead] = batch(0, IN_A_ROW)
    try {
      groupBreaker().judge(
        given,
        dead.map((one) => ({ ...one, reason: 'x'.repeat(1_000_000) })),
      )
      expect.unreachable()
    } catch (error) {
      expect((error as BreakerOpen).reasons).toEqual(['x'.repeat(500)])
    }
  })
})
