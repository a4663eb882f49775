import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { embeddedLog } from '../../../../../connectors/log/embedded/log.ts'
import type { EventLog } from '../../../../../connectors/log/port.ts'

const LINGER_MS = 600

let log: EventLog
let folder: string
afterEach(async () => {
  await log.close()
  await rm(folder, { recursive: true })
})

test('a record after a quiet time is handed out at once, and what follows it closely in one portion', async () => {
  folder = await mkdtemp(join(tmpdir(), 'harrier-linger-'))
  log = await embeddedLog({ folder })
  await log.createTopics([{ name: 't', partitions: 1, cleanup: 'delete', retentionMs: null }])
  const portions: { records: number; at: number }[] = []
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const options = { group: 'g', topics: ['t'], maxRecords: 100, maxBytes: 1_000_000, lingerMs: LINGER_MS }
  await log.consume(options, async ({ messages }) => {
    portions.push({ records: messages.length, at: performance.now() })
    if (portions.length === 2) resolve()
  })
  const began = performance.now()
  const send = () => log.send([{ topic: 't', messages: [{ key: 'k', value: Buffer.from('v') }] }])
  await send()
  await expect.poll(() => portions.length, { interval: 5 }).toBe(1)
  await send()
  await send()
  await all
  expect(portions.map(({ records }) => records)).toEqual([1, 2])
  expect(portions[0]!.at - began).toBeLessThan(LINGER_MS / 2)
  expect(portions[1]!.at - portions[0]!.at).toBeGreaterThanOrEqual(LINGER_MS - 50)
})

test('while records keep coming a portion waits until it is worth its cost', async () => {
  folder = await mkdtemp(join(tmpdir(), 'harrier-linger-'))
  log = await embeddedLog({ folder })
  await log.createTopics([{ name: 't', partitions: 1, cleanup: 'delete', retentionMs: null }])
  const portions: { records: number; at: number }[] = []
  const { promise: all, resolve } = Promise.withResolvers<void>()
  // A rate is counted from the portion before: there is none at the first.
  const stretch = (rate: number) => (rate > 0 ? LINGER_MS : 0)
  const options = { group: 'g', topics: ['t'], maxRecords: 100, maxBytes: 1_000_000, lingerMs: 0, stretch }
  const send = () => log.send([{ topic: 't', messages: [{ key: 'k', value: Buffer.from('v') }] }])
  await log.consume(options, async ({ messages }) => {
    portions.push({ records: messages.length, at: performance.now() })
    if (portions.length === 3) resolve()
  })
  await send()
  await expect.poll(() => portions.length, { interval: 5 }).toBe(1)
  await send()
  await expect.poll(() => portions.length, { interval: 5 }).toBe(2)
  await send()
  await send()
  await all
  expect(portions.map(({ records }) => records)).toEqual([1, 1, 2])
  // Less what the second batch took.
  expect(portions[2]!.at - portions[1]!.at).toBeGreaterThanOrEqual(LINGER_MS / 2)
})

test('a wait ends once the stretch allows less, though nothing more comes', async () => {
  folder = await mkdtemp(join(tmpdir(), 'harrier-linger-'))
  log = await embeddedLog({ folder })
  await log.createTopics([{ name: 't', partitions: 1, cleanup: 'delete', retentionMs: null }])
  let [portions, withinMs] = [0, 60_000]
  const stretch = (rate: number) => (rate > 0 ? withinMs : 0)
  const options = { group: 'g', topics: ['t'], maxRecords: 100, maxBytes: 1_000_000, lingerMs: 0, stretch }
  const send = () => log.send([{ topic: 't', messages: [{ key: 'k', value: Buffer.from('v') }] }])
  await log.consume(options, async () => {
    portions++
  })
  for (const count of [1, 2]) {
    await send()
    await expect.poll(() => portions, { interval: 5 }).toBe(count)
  }
  await send()
  await new Promise((pass) => setTimeout(pass, LINGER_MS))
  expect(portions).toBe(2)
  withinMs = 0
  await expect.poll(() => portions, { interval: 5 }).toBe(3)
})
