import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as rule from '../../../../../pipelines/runtime/breakers/breaker-window.ts'

const { emptyWindow, IN_A_ROW, MAX_DEAD, unreadableSource: unreadable, WINDOW, windowWithout: without } = rule
type Window = rule.BreakerWindow

/** Judges records of nobody in particular. */
const judged = (window: Window, records: readonly boolean[]) =>
  rule.judgeRecords(
    window,
    records.map((dead) => ({ dead, source: null })),
  )
/** So many records of a source, of which every n-th is dead; 0: none. */
const of = (source: string | null, length: number, every: number) =>
  Array.from({ length }, (_, i) => ({ dead: every > 0 && i % every === 0, source }))

/** The rule, word by word, over everything that was seen. */
function opensAt(records: readonly boolean[]): number {
  let dead = 0
  let run = 0
  for (const [i, isDead] of records.entries()) {
    dead += Number(isDead) - Number(i >= WINDOW && records[i - WINDOW]!)
    run = isDead ? run + 1 : 0
    if (run >= IN_A_ROW || (i + 1 >= WINDOW && dead > MAX_DEAD)) return i
  }
  return -1
}

/** Where the records open it when they come in batches of these sizes. */
function openedAt(records: readonly boolean[], sizes: readonly number[]): number {
  let window: Window = emptyWindow()
  for (let from = 0, n = 0; from < records.length; n++) {
    const batch = records.slice(from, from + sizes[n % sizes.length]!)
    const before = window
    const after = judged(before, batch)
    if (after.trip !== null) {
      // It opens at the last that it looked at: those before it do not open it.
      expect(judged(before, batch.slice(0, after.used - 1)).trip).toBeNull()
      expect(judged(before, batch.slice(0, after.used)).trip).not.toBeNull()
      return from + after.used - 1
    }
    window = after.window
    from += batch.length
  }
  return -1
}

const stretch = fc.record({ length: fc.nat(4_000), every: fc.constantFrom(0, 1, 2, 15, 19, 20, 21, 25) })
/** Records in stretches of which every n-th is dead; 0: none. */
const history = fc
  .array(stretch, { minLength: 1, maxLength: 10 })
  .map((all) => all.flatMap(({ length, every }) => Array.from({ length }, (_, i) => every > 0 && i % every === 0)))

describe('the breaker', () => {
  test('opens at the record where the rule says so, however the records are cut into batches', () => {
    let opened = 0
    fc.assert(
      fc.property(
        history,
        fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 5 }),
        (records, sizes) => {
          const at = opensAt(records)
          opened += Number(at >= 0)
          expect(openedAt(records, sizes)).toBe(at)
        },
      ),
      { numRuns: 60, seed: 7 },
    )
    expect(opened).toBeGreaterThan(10)
    expect(opened).toBeLessThan(60)
  })

  const good = (n: number) => Array.from({ length: n }, () => false)
  const dead = (n: number) => Array.from({ length: n }, () => true)
  /** One dead record in every twenty. */
  const twentieth = (n: number) => Array.from({ length: n }, (_, i) => i % 20 === 0)
  const cases = [
    { name: '999 dead in a row', given: dead(999), opens: false },
    { name: '1,000 dead in a row', given: dead(1_000), opens: true },
    { name: '1,000 dead with a good one between them', given: [...dead(999), false, ...dead(1)], opens: false },
    { name: 'exactly 5 % of 10,000', given: twentieth(10_000), opens: false },
    { name: 'one more than 5 %', given: [...twentieth(9_999), true], opens: true },
    { name: 'half of 9,999', given: Array.from({ length: 9_999 }, (_, i) => i % 2 === 0), opens: false },
    { name: 'half of 10,000', given: Array.from({ length: 10_000 }, (_, i) => i % 2 === 0), opens: true },
    { name: 'what has left the window', given: [...dead(500), ...good(10_000), ...dead(500)], opens: false },
  ]
  for (const { name, given, opens } of cases)
    test(`${name} ${opens ? 'open' : 'do not open'} it`, () => {
      const { trip, window } = judged(emptyWindow(), given)
      expect(trip !== null).toBe(opens)
      expect(window.dead).toBeLessThanOrEqual(window.seen)
    })

  test('a window that was judged stays as it was', () => {
    const before = emptyWindow()
    judged(before, dead(999))
    expect(before).toEqual(emptyWindow())
  })
})

describe('whose fault it is', () => {
  const none = unreadable(null)
  const cases: { name: string; given: ReturnType<typeof of>; culprits: string[] }[] = [
    { name: 'one source alone', given: of('a', 1_000, 1), culprits: ['a'] },
    { name: 'one source beside good ones', given: [...of('b', 500, 0), ...of('a', 1_000, 1)], culprits: ['a'] },
    { name: 'nobody in particular', given: of(null, 1_000, 1), culprits: [] },
    { name: 'one source, and a few of nobody', given: [...of(null, 100, 1), ...of('a', 900, 1)], culprits: ['a'] },
    { name: 'one source, and many of nobody', given: [...of(null, 300, 1), ...of('a', 700, 1)], culprits: [] },
    {
      name: 'two sources, and nobody whose records are good',
      given: [...of('a', 500, 1), ...of('b', 500, 1)],
      culprits: [],
    },
    {
      name: 'two sources beside a good one',
      given: [...of('c', 9, 0), ...of('a', 400, 1), ...of('b', 600, 1)],
      culprits: ['b', 'a'],
    },
    {
      name: 'four sources beside a good one',
      given: [...of('e', 9, 0), ...['a', 'b', 'c', 'd'].flatMap((source) => of(source, 250, 1))],
      culprits: [],
    },
    { name: 'records that cannot be read, alone', given: of(none, 1_000, 1), culprits: [] },
    {
      name: 'records that cannot be read beside good ones',
      given: [...of('a', 9, 0), ...of(none, 1_000, 1)],
      culprits: [none],
    },
    { name: 'a tenth of one source', given: of('a', 10_000, 10), culprits: ['a'] },
  ]
  for (const { name, given, culprits } of cases)
    test(`${name}: ${culprits.join(' and ') || 'the consumer stops'}`, () => {
      expect(rule.judgeRecords(emptyWindow(), given).trip).toMatchObject({ culprits })
    })

  test('without a source the window is that of the others, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ dead: fc.boolean(), source: fc.constantFrom('a', 'b', null) }), { maxLength: 900 }),
        (records) => {
          const others = records.filter(({ source }) => source !== 'a')
          expect(without(rule.judgeRecords(emptyWindow(), records).window, new Set(['a']))).toEqual(
            rule.judgeRecords(emptyWindow(), others).window,
          )
        },
      ),
    )
  })
})
