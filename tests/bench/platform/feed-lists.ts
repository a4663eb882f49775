/**
 * A published feed on the whole platform, as its readers see it: its first list, the next one after a hundredth changed,
 * removals in every format after the answer to a verdict, one format alone and all at once, and what other requests wait
 * meanwhile; unchanged lists; a list for many slow readers.
 * Run: npm run bench -- feed-lists [items] [rounds]; each round takes 28 verdicts.
 */

import { createReadStream, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { FORMATS } from '../../../schemas/feeds-out/formats/format-table.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { command } from '../../builders/platform/command.ts'
import { lag } from '../../builders/platform/lag.ts'
import { eventually, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'
import { useOf } from '../parts/processes.ts'
import { type Read, read, readSlowly, requestTimes } from '../parts/read/list-client.ts'
import { subscriber } from '../parts/subscriber.ts'
import { at } from '../parts/timed.ts'

const [ITEMS = 1_000_000, ROUNDS = 12] = process.argv.slice(2).map(Number)
const FEEDS = '/api/feeds/v1/feeds'
/** A million reports are imported and applied within a minute, and a step shows within 15 s. */
const GIVE_UP_MS = 300_000
const READERS = 20
/** Of each slow reader, bytes a second. */
const SLOW = 1_000_000
/** How often a reader who waits for a removal asks, and how often `livez` is asked beside it. */
const POLL_MS = 100
const BESIDE_MS = 20
const ASKED = 3_000
const ASKING = 32
const JSON_TYPE = { 'content-type': 'application/json' }

const folder = temporaryFolder()
const addressOf = (n: number): string => `${20 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.7`
const shown = (n: number, digits = 2): string => n.toFixed(digits).padStart(8)
const print = (what: string, text: string): void => console.log(`${what.padEnd(40)} ${text}`)

const spread = (took: readonly number[], unit: string): string =>
  `p50 ${shown(at(took, 0.5))} ${unit}, p99 ${shown(at(took, 0.99))} ${unit} of ${took.length}`

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1_000
}

const until = <T>(ask: () => Promise<T>, holds: (found: T) => boolean): Promise<T> => eventually(ask, holds, GIVE_UP_MS)

/** Addresses of a source, imported with the operator's command. */
async function imported(source: string, from: number, to: number): Promise<void> {
  const file = join(folder, `${source}.txt`)
  writeFileSync(file, Array.from({ length: to - from }, (_, n) => `${addressOf(from + n)}\n`).join(''))
  const { code, stderr } = await command(folder, 'feed', 'import', file, '--format', 'lines', '--feed', source)
  if (code !== 0) throw new Error(`feed import ended with ${code}: ${stderr}`)
}

const settled = (): Promise<number> =>
  until(
    () => lag(platform.url),
    (left) => left === 0,
  )

const residentOfApi = (): number =>
  useOf(platform.pid).find(({ command: name }) => /(main\.ts|harrier\.js) up$/.test(name))!.resident

const platform = await startPlatform(folder)
try {
  const headers = await subscriber(platform, ['user', 'reporter'])
  const taken = await seconds(async () => {
    await imported('bench', 0, ITEMS)
    await settled()
  })
  print(`${ITEMS} reports imported and stored`, `${shown(taken)} s`)
  await lists(headers, taken)
} catch (error) {
  console.error(platform.output())
  throw error
} finally {
  await platform.stop()
  remove(folder)
}

async function lists(headers: Record<string, string>, taken: number): Promise<void> {
  const selector = { types: ['ip'], reputation: { lte: -1 } }
  const began = performance.now()
  const { body: feed } = await platform.ask(FEEDS, { name: 'bench', selector, guard: null }, headers)
  const url = `${platform.url}${FEEDS}/${feed.id}`
  const text = `${url}/items.text`
  const told = async () => (await platform.ask(`${FEEDS}/${feed.id}`, undefined, headers)).body
  await until(told, ({ state }) => state === 'live')
  const filled = (performance.now() - began) / 1_000
  const first = await read(text, headers)
  const whole = (performance.now() - began) / 1_000
  if ((await told()).items !== ITEMS) throw new Error(`the list has ${(await told()).items} items`)
  print('first list: POST to its last byte', `${shown(whole)} s, ${(whole / taken).toFixed(2)} of the import`)
  print('  of it the list in the store', `${shown(filled)} s`)

  const more = ITEMS / 100
  await imported('more', ITEMS, ITEMS + more)
  const next = await seconds(() => until(told, ({ items }) => items === ITEMS + more))
  print('a hundredth came: end of import to list', `${shown(next)} s`)
  const { sequence } = await told()
  const made = await seconds(() =>
    until(
      () => read(text, headers),
      (found) => found.sequence === sequence,
    ),
  )
  print('  and its text', `${shown(made)} s`)

  await served(text, headers, first.bytes)
  await unchanged(text, headers)
  await removals(headers, url, told)

  const { items } = await told()
  const retracted = performance.now()
  for (let after: string | null | undefined; after !== null; ) {
    const page = { feed: 'more', from: '0', preview: false, after }
    const { status, body } = await platform.ask('/api/admin/v1/retractions', page)
    if (status !== 200) throw new Error(`retraction: ${status} ${JSON.stringify(body)}`)
    after = body.next
  }
  const answered = performance.now()
  await until(told, (left) => left.items === items - more)
  const [asked, gone] = [answered - retracted, performance.now() - answered].map((ms) => ms / 1_000) as [number, number]
  print(`${more} retracted`, `${shown(asked)} s to the last answer, ${shown(gone)} s more to the list`)
}

/** The list as it is on the disk of the API, at once and to many that read slowly; beside a bare server of equal bytes. */
async function served(url: string, headers: Record<string, string>, bytes: number): Promise<void> {
  const file = join(folder, 'bare')
  writeFileSync(file, Buffer.alloc(bytes, 'x'))
  const bare = createServer((_, answer) => void pipeline(createReadStream(file), answer).catch(() => undefined))
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
  for (const [name, of] of [
    ['a list that is there', url],
    ['baseline: the bytes from a bare server', bareUrl],
  ] as const)
    print(name, `${shown((await read(of, headers)).seconds)} s`)
  const before = residentOfApi()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, residentOfApi())), 100)
  const slow = await seconds(() =>
    Promise.all(Array.from({ length: READERS }, () => readSlowly(url, headers, SLOW))).finally(() =>
      clearInterval(timer),
    ),
  )
  print(
    `${READERS} readers of ${SLOW / 1e6} MB/s`,
    `${shown(slow)} s, API ${before.toFixed(0)} -> ${most.toFixed(0)} MiB (+${(most - before).toFixed(0)})`,
  )
  bare.close()
}

async function unchanged(url: string, headers: Record<string, string>): Promise<void> {
  const { etag } = await read(url, headers)
  const bare = createServer((_, answer) => void answer.writeHead(304, { etag }).end())
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
  const asks: [name: string, url: string, headers: Record<string, string>, status: number][] = [
    ['304', url, { ...headers, 'if-none-match': etag }, 304],
    ['baseline: livez', `${platform.url}/livez`, {}, 200],
    ['baseline: 304 of a bare server', bareUrl, {}, 304],
  ]
  for (const connections of [1, ASKING])
    for (const [name, of, given, status] of asks) {
      const took = await requestTimes(ASKED, connections, of, given, status)
      print(`${name}, ${connections} at once`, `p50 ${shown(at(took, 0.5))} ms, p99 ${shown(at(took, 0.99))} ms`)
    }
  bare.close()
}

/** From the answer to a verdict until a format is one without the item, for each format alone and for all at once. */
async function removals(
  headers: Record<string, string>,
  url: string,
  told: () => Promise<{ sequence: number }>,
): Promise<void> {
  let verdicts = 0
  /** Takes an address off the list; resolves when that is answered, with the sequence from before. */
  async function verdict(): Promise<number> {
    const { sequence } = await told()
    const address = addressOf(verdicts++ * Math.floor(ITEMS / (ROUNDS * (FORMATS.length + 1))))
    const path = `/api/casework/v1/verdicts/${entityId('ip', address)}`
    const body = JSON.stringify({ verdict: 'benign', reason: 'bench' })
    const put = await fetch(platform.url + path, { method: 'PUT', headers: { ...JSON_TYPE, ...headers }, body })
    if (put.status !== 200) throw new Error(`verdict: ${put.status} ${await put.text()}`)
    return sequence
  }

  /** Seconds until a format is downloaded whose sequence is a later one; as a device asks, with what it has. */
  async function without(name: string, sequence: number, from: number): Promise<number> {
    let has: Record<string, string> = {}
    for (;;) {
      const found: Read = await read(`${url}/items.${name}`, { ...headers, ...has }, 200, 304)
      if (found.sequence > sequence) return (performance.now() - from) / 1_000
      if (performance.now() - from > GIVE_UP_MS) throw new Error(`${name} has sequence ${found.sequence} still`)
      has = { 'if-none-match': found.etag }
      await sleep(POLL_MS)
    }
  }

  /** Works through the rounds while `livez` is asked, and prints what each of those took. */
  async function beside(what: string, work: () => Promise<void>): Promise<void> {
    const took: number[] = []
    let over = false
    const asking = (async () => {
      for (; !over; await sleep(BESIDE_MS)) took.push((await read(`${platform.url}/livez`)).seconds * 1_000)
    })()
    await work()
    over = true
    await asking
    print(`livez while ${what}`, `${spread(took, 'ms')}, at most ${shown(Math.max(...took))} ms`)
  }

  const alone = new Map<string, number[]>(FORMATS.map(({ name }) => [name, []]))
  await beside('one format is made', async () => {
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, took] of alone) {
        const sequence = await verdict()
        took.push(await without(name, sequence, performance.now()))
      }
  })
  for (const [name, took] of alone) print(`verdict in ${name}, alone`, spread(took, 's'))

  const together = new Map<string, number[]>(FORMATS.map(({ name }) => [name, []]))
  const all: number[] = []
  await beside('all formats are made', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const sequence = await verdict()
      const from = performance.now()
      await Promise.all([...together].map(async ([name, took]) => took.push(await without(name, sequence, from))))
      all.push((performance.now() - from) / 1_000)
    }
  })
  for (const [name, took] of together) print(`verdict in ${name}, all at once`, spread(took, 's'))
  print(`verdict in all ${FORMATS.length} formats at once`, spread(all, 's'))
}
