/**
 * An import that hits the items of a user's watchlists: the rate of the observation job and how fast the API answers
 * meanwhile, beside the same import without an item, which is the baseline; then whether each hit became one alert, and in
 * how many requests the user's receiver was told of all of them.
 * Run: npm run bench -- alert-import [observations] [items]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Received, receiver } from '../../builders/network/receiver.ts'
import { lagOf } from '../../builders/platform/lag.ts'
import { eventually, type Platform, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'
import { drained } from '../parts/drained.ts'
import { useOf } from '../parts/processes.ts'
import { subscriber } from '../parts/subscriber.ts'
import { printPercentiles } from '../parts/timed.ts'
import { imported } from '../write/pipeline.ts'

const [OBSERVATIONS = 1_000_000, ITEMS = 100_000] = process.argv.slice(2).map(Number)
/** The most of one watchlist. */
const LIST = 1_000
const AT_ONCE = 8
const GIVE_UP_MS = 1_800_000
const ENV = { HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true' }

const watched = (n: number): string => `evil${n}.example.net`

/** Domains; the first of them are watched, spread over the whole import. */
function written(folder: string): string {
  const file = join(folder, 'feed.tsv')
  const every = Math.floor(OBSERVATIONS / ITEMS)
  const lines = Array.from({ length: OBSERVATIONS }, (_, n) =>
    n % every === 0 ? `${watched(n / every)}\tmalware\tbench\n` : `other${n}.example.org\tmalware\tbench\n`,
  )
  writeFileSync(file, lines.join(''))
  return file
}

async function made(platform: Platform, headers: Record<string, string>, path: string, body: object): Promise<string> {
  const { status, body: answer } = await platform.ask(path, body, headers)
  if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`)
  return answer.id
}

async function watch(platform: Platform, headers: Record<string, string>): Promise<void> {
  for (let from = 0; from < ITEMS; from += LIST) {
    const list = await made(platform, headers, '/api/casework/v1/watchlists', { name: `from ${from}` })
    const left = Array.from({ length: Math.min(LIST, ITEMS - from) }, (_, n) => watched(from + n))
    const add = async (): Promise<void> => {
      for (let value = left.pop(); value !== undefined; value = left.pop())
        await made(platform, headers, `/api/casework/v1/watchlists/${list}/items`, { kind: 'value', value })
    }
    await Promise.all(Array.from({ length: AT_ONCE }, add))
  }
}

/** Asks what is known of one value again and again, until stopped. @returns milliseconds of each answer */
function asking(url: string) {
  const took: number[] = []
  let isOn = true
  const done = (async () => {
    while (isOn) {
      await sleep(20)
      const from = performance.now()
      await (await fetch(`${url}/api/analytics/v1/overview?days=1`)).arrayBuffer()
      took.push(performance.now() - from)
    }
  })()
  return async (): Promise<number[]> => {
    isOn = false
    await done
    return took
  }
}

type Told = { requests: number; alerts: number; ids: Set<string> }

function toldTo(told: Told, { body, headers }: Received): void {
  const { type, data } = JSON.parse(body.toString())
  const id = String(headers['webhook-id'])
  told.requests++
  if (!told.ids.has(id)) told.alerts += type === 'alerts.digest' ? data.count : 1
  told.ids.add(id)
}

async function measured(items: boolean): Promise<number> {
  const folder = temporaryFolder()
  const told: Told = { requests: 0, alerts: 0, ids: new Set() }
  const target = await receiver((response, _, request) => {
    toldTo(told, request)
    response.end()
  })
  try {
    const data = join(folder, 'data')
    const first = await startPlatform(data, ENV)
    const headers = await subscriber(first, ['user'])
    if (items)
      await watch(first, headers).catch((error: unknown) => {
        console.error(first.output())
        throw error
      })
    await made(first, headers, '/api/alerts/v1/destinations', { name: 'bench', kind: 'webhook', url: target.url })
    await first.stop()
    imported(data, written(folder))
    const asked = Promise.withResolvers<() => Promise<number[]>>()
    const { platform, rate } = await drained(data, ENV, ({ url }) => asked.resolve(asking(url)))
    const from = performance.now()
    await eventually(
      () => lagOf(platform.url, 'alerts'),
      (left) => left === 0,
      GIVE_UP_MS,
    )
    console.log(`alerts follow ${((performance.now() - from) / 1_000).toFixed(1)} s later`)
    printPercentiles('an answer of the API meanwhile', await (await asked.promise)())
    console.log(
      useOf(platform.pid)
        .map(({ command, cpuSeconds }) => `${command} ${cpuSeconds.toFixed(1)} s`)
        .join(', '),
    )
    if (items) {
      await eventually(
        async () => told.alerts,
        (alerts) => alerts >= ITEMS,
        GIVE_UP_MS,
      )
      console.log(
        `${told.alerts} alerts of ${ITEMS} hits told in ${told.requests} requests, ${told.ids.size} of them different`,
      )
    }
    await platform.stop()
    return rate
  } finally {
    await target.close()
    remove(folder)
  }
}

const baseline = await measured(false)
console.log(
  `the observation job with ${ITEMS} items: ${((await measured(true)) / baseline).toFixed(2)} of its rate without`,
)
