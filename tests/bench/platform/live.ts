/**
 * How long after the 202 of a report a stream tells of it, and a webhook gets the alert that it fires; on an idle platform,
 * then at half load. Baselines of the same run: what the 202 took, and when the report is in the simple search.
 * Then how fast a stream goes on that is behind. Run: npm run bench -- live [samples] [changes to catch up with]
 */
import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Received, receiver } from '../../builders/network/receiver.ts'
import { eventually } from '../../builders/platform/platform.ts'
import { atHalfLoad } from '../parts/post/half-load.ts'
import type { Load, Loaded } from '../parts/post/load.ts'
import { ask, platformSide, start } from '../parts/post/sides.ts'
import { printPercentiles } from '../parts/timed.ts'

const [SAMPLES = 100, BEHIND = 100_000] = process.argv.slice(2).map(Number)
const WARM_UP = 5
const GIVE_UP_MS = 60_000
/** Alerts of one destination become one message when they are more in a minute than it takes one by one: 60. */
const BETWEEN_MS = 1_050
const NAME = /probe-[0-9a-f-]{36}\.example/

const side = await platformSide(undefined, { HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true' })
const { platform, headers } = side

/** When each probe was told of, by name. */
const seen = { stream: new Map<string, number>(), webhook: new Map<string, number>() }

function note(where: Map<string, number>, text: string): void {
  const [name] = NAME.exec(text) ?? []
  if (name !== undefined && !where.has(name)) where.set(name, performance.now())
}

async function post(path: string, body: object): Promise<{ id: string }> {
  const { status, body: answer } = await platform.ask(path, body, headers)
  if (status !== 201 && status !== 202) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`)
  return answer
}

/** Lines of a stream, until it ends. */
async function follow(query: string, line: (text: string) => void, signal: AbortSignal): Promise<void> {
  const asked = { ...headers, accept: 'application/x-ndjson' }
  const response = await fetch(`${platform.url}/api/live/v1/changes${query}`, { headers: asked, signal })
  if (response.status !== 200) throw new Error(`the stream: ${response.status} ${await response.text()}`)
  const lines = createInterface({ input: Readable.fromWeb(response.body!) })
  lines.on('line', line)
  lines.on('error', () => undefined)
}

async function until(where: Map<string, number>, name: string): Promise<number> {
  return (await eventually(
    async () => where.get(name),
    (at) => at !== undefined,
    GIVE_UP_MS,
  ))!
}

const inSearch = async (name: string): Promise<number> => {
  const asked = () => platform.ask('/api/search/v1/entities/history/simple', { query: name }, headers)
  await eventually(asked, ({ status }) => status === 200, GIVE_UP_MS)
  return performance.now()
}

async function measure(name: string): Promise<void> {
  console.log(`${name}: ${SAMPLES} reports, one at a time; load of the machine ${loadavg()[0]!.toFixed(1)}`)
  const delays: { post: number; search: number; stream: number; webhook: number }[] = []
  for (let n = 0; n < WARM_UP + SAMPLES; n++) {
    const domain = `probe-${randomUUID()}.example`
    const began = performance.now()
    await post('/api/ingest/v1/entity', { type: 'domain', attributes: { domain }, reputation: -3 })
    const from = performance.now()
    const [stream, webhook, search] = await Promise.all([
      until(seen.stream, domain),
      until(seen.webhook, domain),
      inSearch(domain),
    ])
    if (n >= WARM_UP)
      delays.push({ post: from - began, search: search - from, stream: stream - from, webhook: webhook - from })
    await sleep(Math.max(0, BETWEEN_MS - (performance.now() - began)))
  }
  printPercentiles(
    'POST',
    delays.map(({ post }) => post),
  )
  printPercentiles(
    '202 to visible in search',
    delays.map(({ search }) => search),
  )
  printPercentiles(
    '202 to the event of a stream',
    delays.map(({ stream }) => stream),
  )
  printPercentiles(
    '202 to the webhook',
    delays.map(({ webhook }) => webhook),
  )
}

/** A stream from a time on, until it has caught up. */
async function resume(since: string): Promise<void> {
  const ended = new AbortController()
  const caughtUp = Promise.withResolvers<void>()
  let events = 0
  const cpu = await side.cpu()
  const from = performance.now()
  const line = (text: string): void => {
    if (text.startsWith('{"event":"change"')) events++
    else if (text.startsWith('{"event":"caught-up"')) caughtUp.resolve()
  }
  await follow(`?since=${since}`, line, ended.signal)
  await caughtUp.promise
  const seconds = (performance.now() - from) / 1_000
  ended.abort()
  const used = Object.entries(await side.cpu()).map(([n, t]) => `${n} ${((t - (cpu[n] ?? 0)) / 1e6).toFixed(1)}`)
  console.log(
    `resume: ${events} events in ${seconds.toFixed(1)} s, ${(events / seconds).toFixed(0)}/s; CPU-seconds ${used.join(', ')}`,
  )
}

const target = await receiver((response, _, { body }: Received) => {
  note(seen.webhook, body.toString())
  response.end()
})
const ended = new AbortController()
try {
  const list = await post('/api/casework/v1/watchlists', { name: 'probes' })
  await post(`/api/casework/v1/watchlists/${list.id}/items`, { kind: 'suffix', value: 'example' })
  await post('/api/alerts/v1/destinations', { name: 'probes', kind: 'webhook', url: target.url })
  await follow('', (text) => note(seen.stream, text), ended.signal)
  await measure('idle')
  await atHalfLoad(side, () => measure('half load'))
  await side.settled()
  ended.abort()
  const since = new Date().toISOString()
  const client = start('load.ts', '12')
  const given = { port: side.port, headers, connections: 64, ms: 2_000, pauseMs: 0 } satisfies Partial<Load>
  for (let sent = 0; sent < BEHIND; ) sent += (await ask<Loaded>(client, given)).rate * 2
  client.disconnect()
  await side.settled()
  for (let round = 0; round < 3; round++) await resume(since)
} catch (error) {
  console.error(platform.output())
  throw error
} finally {
  ended.abort()
  await target.close()
  await side.close()
}
