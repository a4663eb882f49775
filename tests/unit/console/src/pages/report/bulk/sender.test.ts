import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Problem } from '../../../../../../../console/src/api/problem.ts'
import { createSender, type LineBody } from '../../../../../../../console/src/pages/report/bulk/sender.ts'
import type { SendLines } from '../../../../../../../console/src/pages/report/bulk/submit.ts'
import type { Ended, Verdict } from '../../../../../../../console/src/pages/report/bulk/verdicts.ts'

const jobs = (count: number): LineBody[] => Array.from({ length: count }, (_, n) => ({ n }))
const until = async (holds: () => boolean) => {
  for (let waited = 0; !holds() && waited < 500; waited++) await sleep(2)
  expect(holds()).toBe(true)
}

type Call = { ns: number[]; key: string; tell: (verdict: Verdict) => void; signal: AbortSignal }

const BROKEN: Ended = { kind: 'broken', reason: 'The connection was lost' }

/** A platform whose n-th request ends as `answer` says; a body under a key that was whole is answered the same again. */
function platform(answer: (call: Call, turn: number) => Promise<Ended> | Ended) {
  const calls: Call[] = []
  let now = 0
  const send: SendLines = async (bodies, key, tell, signal) => {
    const call = { ns: bodies.map(({ n }) => n as number), key, tell, signal }
    calls.push(call)
    await sleep(1)
    return answer(call, calls.length)
  }
  const ports = {
    send,
    newKey: () => `key-${calls.length}`,
    now: () => now,
    async sleep(ms: number) {
      now += ms
      await sleep(0)
    },
  }
  return { calls, ports }
}

const accept = ({ ns, tell }: Call, count = ns.length): void => {
  for (const [at, n] of ns.slice(0, count).entries()) tell({ line: at + 1, id: `ip-${n}` })
}
const whole = (call: Call): Ended => {
  accept(call)
  return { kind: 'whole' }
}

test('all lines go in one request; refused and unsendable ones have their reasons', async () => {
  const { calls, ports } = platform((call) => {
    accept(call, 7)
    call.tell({ line: 8, error: { code: 'invalid_parameter', message: 'wrong' } })
    for (let line = 9; line <= 40; line++) call.tell({ line, id: `ip-${line - 1}` })
    return { kind: 'whole' }
  })
  const by = createSender([...jobs(20), 'no type', ...jobs(40).slice(20)], ports)
  expect(by.progress().counts).toEqual({ accepted: 0, refused: 1, waiting: 40 })
  by.start()
  await until(() => by.progress().phase === 'done')
  const { outcomes, counts } = by.progress()
  expect(counts).toEqual({ accepted: 39, refused: 2, waiting: 0 })
  expect(calls.map(({ ns }) => ns)).toEqual([Array.from({ length: 40 }, (_, n) => n)])
  expect(outcomes[7]).toEqual({ state: 'refused', reason: 'wrong' })
  expect(outcomes[20]).toEqual({ state: 'refused', reason: 'no type' })
  expect(outcomes[21]).toEqual({ state: 'accepted', id: 'ip-20' })
})

test('after a lost connection the same lines are sent under the same key, and told verdicts stay', async () => {
  const { calls, ports } = platform((call, turn) => {
    if (turn === 3) return whole(call)
    accept(call, 4 * turn)
    return BROKEN
  })
  const by = createSender(jobs(12), ports)
  by.start()
  await until(() => by.progress().phase === 'done')
  expect(by.progress().counts).toEqual({ accepted: 12, refused: 0, waiting: 0 })
  expect(new Set(calls.map(({ key, ns }) => `${key} ${ns}`)).size).toBe(1)
  expect(calls).toHaveLength(3)
})

test('what the limit leaves out waits for the next minute and goes under another key', async () => {
  const { calls, ports } = platform((call, turn) => {
    if (turn > 1) return whole(call)
    accept(call, 5)
    for (let line = 6; line <= 8; line++) call.tell({ line, error: { code: 'rate_limit_exceeded', message: 'limit' } })
    return { kind: 'whole' }
  })
  const by = createSender(jobs(8), ports)
  by.start()
  await until(() => by.progress().phase === 'done')
  expect(calls.map(({ ns }) => ns)).toEqual([
    [0, 1, 2, 3, 4, 5, 6, 7],
    [5, 6, 7],
  ])
  expect(calls[0]!.key).not.toBe(calls[1]!.key)
  expect(ports.now()).toBeGreaterThanOrEqual(60_000)
})

test('a limit, and a request that is still under way, hold everything for as long as they say', async () => {
  const { calls, ports } = platform((call, turn) => {
    if (turn === 1) throw new Problem('rate limit exceeded', { status: 429, code: 'rate_limited', retryAfter: 5 })
    if (turn === 2) throw new Problem('under way', { status: 409, code: 'in_progress', retryAfter: 2 })
    return whole(call)
  })
  const by = createSender(jobs(3), ports)
  by.start()
  await until(() => by.progress().phase === 'done')
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1)
  expect(ports.now()).toBeGreaterThanOrEqual(7_000)
})

test('a pause ends the request; what has no verdict goes on under the same key', async () => {
  const { calls, ports } = platform(async (call, turn) => {
    if (turn > 1) return whole(call)
    accept(call, 10)
    await new Promise((resolve) => call.signal.addEventListener('abort', resolve))
    throw new DOMException('aborted', 'AbortError')
  })
  const by = createSender(jobs(60), ports)
  by.start()
  await until(() => by.progress().counts.accepted === 10)
  by.pause()
  await sleep(20)
  expect(by.progress()).toMatchObject({ phase: 'paused', stopped: null, counts: { accepted: 10, waiting: 50 } })
  by.start()
  by.start()
  await until(() => by.progress().phase === 'done')
  expect(calls.map(({ key, ns }) => [key, ns.length])).toEqual([
    ['key-0', 60],
    ['key-0', 60],
  ])
})

test('a platform that fails pauses it after some tries, and the lines still wait', async () => {
  let well = false
  const { calls, ports } = platform((call) => {
    if (well) return whole(call)
    return { kind: 'broken', reason: 'publish failed' }
  })
  const by = createSender(jobs(3), ports)
  by.start()
  await until(() => by.progress().phase === 'paused')
  expect(by.progress()).toMatchObject({ stopped: 'publish failed', counts: { accepted: 0, waiting: 3 } })
  expect(calls).toHaveLength(3)
  well = true
  by.start()
  await until(() => by.progress().phase === 'done')
  expect(by.progress()).toMatchObject({ stopped: null, counts: { accepted: 3 } })
})

test('a refusal of the whole request pauses it with its reason', async () => {
  const { ports } = platform(() => {
    throw new Problem('the role reporter is required', { status: 403, code: 'forbidden' })
  })
  const by = createSender(jobs(3), ports)
  by.start()
  await until(() => by.progress().phase === 'paused')
  expect(by.progress()).toMatchObject({ stopped: 'the role reporter is required', counts: { waiting: 3 } })
})

test('what is cancelled is never sent again, whatever is pressed then', async () => {
  const { calls, ports } = platform(async (call) => {
    accept(call, 4)
    await new Promise((resolve) => call.signal.addEventListener('abort', resolve))
    return BROKEN
  })
  const by = createSender(jobs(60), ports)
  by.start()
  await until(() => by.progress().counts.accepted >= 4)
  by.cancel()
  by.start()
  await sleep(20)
  expect(by.progress()).toMatchObject({ phase: 'cancelled', counts: { accepted: 4, waiting: 56 } })
  expect(calls).toHaveLength(1)
})
