import { expect, test, vi } from 'vitest'
import type { Sink } from '../../../../../../api/http/answers/stream-body.ts'
import type { LineStream, NextLines } from '../../../../../../api/http/bodies/line-stream.ts'
import { ApiError } from '../../../../../../api/http/errors.ts'
import { reputations } from '../../../../../../api/intelligence/services/reputation/reputation.ts'
import { reputationStream } from '../../../../../../api/intelligence/services/reputation/reputation-stream.ts'
import type { Lookups } from '../../../../../../connectors/lookups/port.ts'
import type { Identity } from '../../../../../../schemas/accounts/accounts.ts'
import { audienceId } from '../../../../../../schemas/intelligence/observations/audience.ts'
import { builtIn } from '../../../../../../schemas/intelligence/scoring/rules.ts'
import { memoryLookups, presentRow } from '../../../../../builders/reputation/memory-lookups.ts'

/* The service alone: bodies that a test hands over piece by piece, and callers that change in the middle. */

const BLUE = audienceId(['blue'])
const USER = { userId: 'u1', groups: ['blue', 'public'] } as unknown as Identity
const ROWS = [presentRow('ip', '203.0.113.9', { reputation: -3, audience: BLUE })]
const LINE = Buffer.from('"203.0.113.9"\n')

const readers = {
  of: async (groups: readonly string[]) => ({
    groups,
    audiences: [audienceId(['public']), ...(groups.includes('blue') ? [BLUE] : [])],
    own: [],
    visibleBy: () => [],
  }),
}

/** Lines that come when the test says so. */
function handed() {
  const waiting: NextLines[] = []
  let wake: () => void = () => undefined
  const lines: LineStream = {
    next: async () => {
      while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      return waiting.shift()!
    },
    readAhead: () => undefined,
    arrived: async () => undefined,
    leave: () => undefined,
  }
  return {
    lines,
    give(next: NextLines) {
      waiting.push(next)
      wake()
    },
  }
}

function reader() {
  const told: string[] = []
  let ended = false
  const sink: Sink = {
    write: (text) => void told.push(String(text)),
    buffered: () => 0,
    end: () => (ended = true),
    destroy: () => undefined,
    signal: new AbortController().signal,
    onDrain: (call) => setImmediate(call),
  }
  return {
    sink,
    ended: () => ended,
    lines: () =>
      told
        .join('')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  }
}

type Given = Partial<Parameters<ReturnType<typeof reputationStream>>[0]>

/** A stream that is being answered. */
async function begun(given: Given = {}, source = { next: async () => memoryLookups(ROWS) }) {
  const stream = reputationStream({ source, reputations: reputations(builtIn), readers, now: Date.now })
  const body = handed()
  const made = await stream({
    caller: 'u1',
    user: USER,
    lines: body.lines,
    takeUpTo: async (units) => ({ taken: units, againMs: 0 }),
    again: async () => USER,
    afterBody: false,
    ...given,
  })
  const read = reader()
  const answered = Promise.resolve(made.body.start(read.sink))
  answered.catch(() => undefined)
  return { ...body, ...read, by: made.by, answered, stream }
}

/** Time goes on by so much, for whoever looks at the clock only. */
function later(ms: number) {
  const began = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => began() + ms)
}

test('a group that the caller loses in the middle is not read any more', async () => {
  let now: Identity = USER
  const one = await begun({ again: async () => now })
  one.give({ kind: 'lines', bytes: LINE })
  await expect.poll(one.lines).toHaveLength(1)
  now = { ...USER, groups: ['public'] }
  later(1_001)
  one.give({ kind: 'lines', bytes: LINE })
  one.give({ kind: 'end' })
  await one.answered
  vi.restoreAllMocks()
  expect(one.lines()).toMatchObject([{ known: true, reputation: -3 }, { known: false, reputation: 0 }, { answered: 2 }])
})

test('credentials that end in the middle end the stream with one line, without a last one', async () => {
  const one = await begun({ again: () => Promise.reject(new ApiError('unauthorized')) })
  one.give({ kind: 'lines', bytes: LINE })
  await expect.poll(one.lines).toHaveLength(1)
  later(1_001)
  one.give({ kind: 'lines', bytes: Buffer.concat([Buffer.from('\n\n'), LINE, LINE]) })
  await one.answered
  vi.restoreAllMocks()
  expect(one.lines()).toEqual([
    expect.objectContaining({ known: true }),
    { line: 4, error: { code: 'unauthorized', message: expect.any(String) } },
  ])
  expect(one.ended()).toBe(true)
})

test('a look-up that fails in the middle ends the stream with the first line that has no answer', async () => {
  let asked = 0
  const lookups: Lookups = {
    ...memoryLookups(ROWS),
    rows: (values, audiences) =>
      asked++ < 2 ? memoryLookups(ROWS).rows(values, audiences) : Promise.reject(new ApiError('store_unavailable')),
  }
  const one = await begun({}, { next: async () => lookups })
  // An index is asked for 512 lines at a time.
  one.give({ kind: 'lines', bytes: Buffer.concat(Array.from({ length: 2_000 }, () => LINE)) })
  await one.answered
  expect(one.lines().slice(0, -1)).toHaveLength(1_024)
  expect(one.lines().at(-1)).toEqual({ line: 1_025, error: { code: 'store_unavailable', message: expect.any(String) } })
})

test('a fault of our own breaks the stream', async () => {
  const lookups = { ...memoryLookups(ROWS), rows: () => Promise.reject(new Error('no')) }
  const one = await begun({}, { next: async () => lookups })
  one.give({ kind: 'lines', bytes: LINE })
  await expect(one.answered).rejects.toThrow('no')
  expect(one.lines()).toEqual([])
  expect(one.ended()).toBe(false)
})

test('lines that come late are looked up where the answers are fresh by then', async () => {
  const places = [memoryLookups([]), memoryLookups(ROWS)]
  let asked = 0
  const one = await begun({}, { next: async () => places[Math.min(asked++, 1)]! })
  later(1_001)
  one.give({ kind: 'lines', bytes: LINE })
  one.give({ kind: 'end' })
  await one.answered
  vi.restoreAllMocks()
  expect(one.lines()[0]).toMatchObject({ known: true })
})

test('a caller has eight streams at once, a process 64, half of them of nobody; each place is given back', async () => {
  const { stream, give, answered } = await begun()
  const given = (caller: string, user: Identity | null = USER) => {
    const body = handed()
    return {
      body,
      made: stream({
        caller,
        user,
        lines: body.lines,
        takeUpTo: async (units) => ({ taken: units, againMs: 0 }),
        again: async () => user,
        afterBody: false,
      }),
    }
  }
  const opened = async (count: number, callerOf: (i: number) => string, user: Identity | null = USER) => {
    const all = Array.from({ length: count }, (_, i) => given(callerOf(i), user))
    await Promise.all(all.map(({ made }) => made))
    return all
  }
  await opened(7, () => 'u1')
  await expect(given('u1').made).rejects.toMatchObject({ code: 'busy' })
  give({ kind: 'end' })
  await answered
  const nobodys = await opened(32, (i) => `192.0.2.${i}`, null)
  await expect(given('192.0.2.99', null).made).rejects.toMatchObject({ code: 'busy' })
  await opened(25, (i) => `u${2 + (i % 8)}`)
  await expect(given('u99').made).rejects.toMatchObject({ code: 'busy' })
  const { body } = await nobodys[0]!.made
  const ended = body.start(reader().sink)
  nobodys[0]!.body.give({ kind: 'cut' })
  await ended
  await expect(given('192.0.2.99', null).made).resolves.toMatchObject({ by: 'index' })
  await expect(given('u99').made).rejects.toMatchObject({ code: 'busy' })
})

test.each([
  [{ kind: 'too_large' }, 'too_large'],
  [{ kind: 'late' }, 'request_timeout'],
] as const)('a body that ends with %o has one line of it, and no last one', async (next, code) => {
  const one = await begun()
  one.give({ kind: 'lines', bytes: Buffer.concat([LINE, Buffer.from('\n')]) })
  one.give(next)
  await one.answered
  expect(one.lines().slice(1)).toEqual([{ line: 3, error: { code, message: expect.any(String) } }])
})

test('a client that is gone is told nothing more', async () => {
  const one = await begun()
  one.give({ kind: 'lines', bytes: LINE })
  one.give({ kind: 'cut' })
  await one.answered
  expect(one.lines()).toHaveLength(1)
})
