import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Problem } from '../../../../../../../console/src/api/problem.ts'
import { createSender, type LineBody } from '../../../../../../../console/src/pages/report/bulk/sender.ts'

const jobs = (count: number): LineBody[] => Array.from({ length: count }, (_, n) => ({ n }))
const until = async (holds: () => boolean) => {
  for (let waited = 0; !holds() && waited < 500; waited++) await sleep(2)
  expect(holds()).toBe(true)
}

/** A platform that answers as `answer` says; counts what it was sent, and how many at once. */
function platform(answer: (n: number, time: number) => Problem | null) {
  const seen = { sent: [] as number[], accepted: [] as number[], atOnce: 0, slept: [] as number[] }
  let now = 0
  let under = 0
  const ports = {
    now: () => now,
    async sleep(ms: number) {
      seen.slept.push(ms)
      now += ms
      await sleep(0)
    },
    async send({ n }: Record<string, unknown>) {
      seen.sent.push(n as number)
      seen.atOnce = Math.max(seen.atOnce, ++under)
      await sleep(1)
      under--
      const problem = answer(n as number, seen.sent.filter((one) => one === n).length)
      if (problem !== null) throw problem
      seen.accepted.push(n as number)
      return `ip-${n}`
    },
  }
  return { seen, ports }
}

test('every line is sent once, a few at a time; refused and unsendable lines have their reasons', async () => {
  const { seen, ports } = platform((n) =>
    n === 7 ? new Problem('wrong', { status: 400, errorId: 'e7', code: 'invalid_parameter' }) : null,
  )
  const by = createSender([...jobs(40), 'no type'], ports)
  expect(by.progress().counts).toEqual({ accepted: 0, refused: 1, waiting: 40 })
  by.start()
  await until(() => by.progress().phase === 'done')
  const { outcomes, counts } = by.progress()
  expect(counts).toEqual({ accepted: 39, refused: 2, waiting: 0 })
  expect(seen.sent.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n))
  expect(seen.atOnce).toBe(4)
  expect(outcomes[7]).toEqual({ state: 'refused', reason: 'wrong', errorId: 'e7' })
  expect(outcomes[40]).toEqual({ state: 'refused', reason: 'no type', errorId: null })
  expect(outcomes[8]).toEqual({ state: 'accepted', id: 'ip-8' })
})

test('a limit holds everything for as long as it says, and the line is sent again', async () => {
  const { seen, ports } = platform((n, time) =>
    n === 3 && time === 1 ? new Problem('rate limit exceeded', { status: 429, retryAfter: 5 }) : null,
  )
  const by = createSender(jobs(12), ports)
  by.start()
  await until(() => by.progress().phase === 'done')
  expect(by.progress().counts.accepted).toBe(12)
  expect(seen.accepted.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n))
  expect(seen.slept.length).toBeGreaterThan(0)
  expect(ports.now()).toBeGreaterThanOrEqual(5_000)
})

test('what is paused goes on where it was, and nothing is sent twice', async () => {
  const { seen, ports } = platform(() => null)
  const by = createSender(jobs(60), ports)
  by.start()
  await until(() => by.progress().counts.accepted >= 10)
  by.pause()
  await sleep(20)
  const { phase, counts } = by.progress()
  expect([phase, counts.waiting > 0, counts.accepted]).toEqual(['paused', true, seen.accepted.length])
  by.start()
  by.start()
  await until(() => by.progress().phase === 'done')
  expect(seen.sent.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n))
  expect(seen.atOnce).toBe(4)
})

test('a platform that fails pauses it after some tries, and the line still waits', async () => {
  let well = false
  const { ports } = platform((n) => (n === 2 && !well ? new Problem('the platform does not respond', {}) : null))
  const by = createSender(jobs(3), ports)
  by.start()
  await until(() => by.progress().phase === 'paused')
  expect(by.progress()).toMatchObject({ stopped: 'the platform does not respond', counts: { accepted: 2, waiting: 1 } })
  well = true
  by.start()
  await until(() => by.progress().phase === 'done')
  expect(by.progress()).toMatchObject({ stopped: null, counts: { accepted: 3 } })
})

test('what is cancelled is never sent, whatever is pressed then', async () => {
  const { seen, ports } = platform(() => null)
  const by = createSender(jobs(60), ports)
  by.start()
  await until(() => by.progress().counts.accepted >= 4)
  by.cancel()
  by.start()
  await sleep(20)
  const sent = seen.sent.length
  expect(by.progress().phase).toBe('cancelled')
  expect(sent).toBeLessThan(60)
  await sleep(20)
  expect(seen.sent.length).toBe(sent)
})
