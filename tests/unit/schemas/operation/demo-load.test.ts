import { describe, expect, test } from 'vitest'
import {
  type DemoLoad,
  type DemoRecord,
  demoLoadAfter,
  isFree,
  LEASE_MS,
} from '../../../../schemas/operation/demo-load.ts'

const corpus = { entities: 300, days: 60, seed: 1, end: 1_000 }
const watermarks = [{ partition: 0, offset: 7 }]
const [A, B] = ['a', 'b']
const begin = (by: string, at = 0): DemoRecord => ({ kind: 'begin', by, at, corpus })
const progress = (by: string, at: number, line: number): DemoRecord => ({
  kind: 'progress',
  by,
  at,
  line,
  total: 9,
  watermarks,
})

const stateAfter = (...records: DemoRecord[]): DemoLoad | null =>
  records.reduce<DemoLoad | null>((load, record) => demoLoadAfter(load, record), null)

const cases: { name: string; given: DemoRecord[]; want: Partial<DemoLoad> }[] = [
  { name: 'of two that begin the first has it', given: [begin(A), begin(B)], want: { holder: { by: A, at: 0 } } },
  {
    name: 'progress renews',
    given: [begin(A), progress(A, 5, 3)],
    want: { holder: { by: A, at: 5 }, line: 3, total: 9 },
  },
  {
    name: 'progress of another counts for nothing',
    given: [begin(A), progress(B, 5, 3)],
    want: { line: 0, watermarks: [] },
  },
  {
    name: 'nobody takes from the living',
    given: [begin(A), { kind: 'take', by: B, at: LEASE_MS }],
    want: { holder: { by: A, at: 0 } },
  },
  {
    name: 'what is left by the dead is taken, by the first, and the dead has lost it',
    given: [
      ...[begin(A), progress(A, 1, 3)],
      { kind: 'take', by: B, at: LEASE_MS + 2 },
      { kind: 'take', by: 'c', at: LEASE_MS + 3 },
      progress(A, LEASE_MS + 4, 5),
      { kind: 'end', by: A, at: LEASE_MS + 5, watermarks: [] },
    ],
    want: { holder: { by: B, at: LEASE_MS + 2 }, line: 3, watermarks, ended: false },
  },
  {
    name: 'what is left on purpose is taken at once',
    given: [begin(A), { kind: 'leave', by: A, at: 1, paused: true }, { kind: 'take', by: B, at: 2 }],
    want: { holder: { by: B, at: 2 }, paused: false },
  },
  {
    name: 'an end is for good',
    given: [
      begin(A),
      progress(A, 1, 3),
      { kind: 'end', by: A, at: 2, watermarks },
      begin(B, 3),
      { kind: 'take', by: B, at: 99_999 },
    ],
    want: { ended: true, holder: null, line: 9 },
  },
]

describe('the load of the demonstration corpus', () => {
  for (const { name, given, want } of cases) test(name, () => expect(stateAfter(...given)).toMatchObject(want))

  test('is free when nobody holds it or its holder is silent, and never once it has ended', () => {
    const held = stateAfter(begin(A))!
    expect([isFree(held, LEASE_MS), isFree(held, LEASE_MS + 1)]).toEqual([false, true])
    expect(isFree(stateAfter(begin(A), { kind: 'leave', by: A, at: 1, paused: false })!, 1)).toBe(true)
    expect(isFree(stateAfter(begin(A), { kind: 'end', by: A, at: 1, watermarks })!, 1e9)).toBe(false)
  })

  test('is none before it was begun', () => expect(stateAfter(progress(A, 1, 1))).toBeNull())
})
