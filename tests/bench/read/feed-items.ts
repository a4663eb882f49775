/**
 * Lists of a feed as files: `npm run bench -- feed-items [items]`, by default a million addresses. The first generation of
 * each format, the next one after a hundredth of the list changed, all of them at once after another hundredth, a packed
 * one, and a file that is asked for again. Beside each the longest time for which the API could do nothing else.
 * Baseline: the same statement of the store, read to its end and thrown away.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { generations } from '../../../api/feeds-out/services/generations.ts'
import { feedFolder } from '../../../connectors/feed-files/folder.ts'
import { feedStore } from '../../../connectors/history/feeds-out/list-store.ts'
import { listOf } from '../../../connectors/history/sql/feeds-out/lists.ts'
import type { FeedDefinition } from '../../../connectors/postgres/feeds-out/port.ts'
import { FORMATS as ALL, formatNamed } from '../../../schemas/feeds-out/formats/format-table.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { headOf, item, listsIn, member, newFeed, writtenAnew } from '../../builders/history/feed-lists.ts'
import { embedded } from '../../builders/history/stores.ts'
import { at } from '../parts/timed.ts'

const ITEMS = Number(process.argv[2] ?? 1_000_000)
const FORMATS = ['text', 'palo-ip', 'csv', 'ndjson', 'nft', 'mmdb', 'stix', 'parquet']
const BLOCK = 50_000
/** How often the delay of the event loop is looked at. */
const DELAY_MS = 5
const ASKED = 2_000

const store = await embedded()
const { history, database } = await store.migrated()
const lists = listsIn(history, database)
const writer = feedStore(history, database)
const folder = mkdtempSync(join(tmpdir(), 'harrier-feed-bench-'))
const files = await feedFolder(folder, { most: 1e12, now: Date.now })
const feed = newFeed()
const definition = { id: feed, name: 'bench', open: false, revision: 1 } as FeedDefinition

const addressOf = (n: number): string => `${20 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.7`
const itemOf = (n: number, given: object = {}) => {
  const value = addressOf(n)
  return item(n, { entityId: entityId('ip', value), value, reputation: -1 - (n % 3), accuracy: 1 + (n % 3), ...given })
}

async function write(from: number, to: number, sequence: number, given: object = {}): Promise<void> {
  for (let at = from; at < to; at += BLOCK) {
    const numbers = Array.from({ length: Math.min(BLOCK, to - at) }, (_, i) => at + i)
    const head = headOf(feed, { items: Math.max(ITEMS, to), sequence })
    const members = numbers.map((n) => member(itemOf(n, given)))
    await writtenAnew(writer, [{ head, members, deltas: [] }])
  }
}

/** Seconds and CPU-seconds of this process with its threads, and the longest delay of its event loop in milliseconds. */
async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; cpu: number; delay: number; result: T }> {
  const [from, cpu] = [performance.now(), process.cpuUsage()]
  const delays = monitorEventLoopDelay({ resolution: DELAY_MS })
  delays.enable()
  const result = await work()
  delays.disable()
  const { user, system } = process.cpuUsage(cpu)
  const delay = Math.max(0, delays.max / 1e6 - DELAY_MS)
  return { seconds: (performance.now() - from) / 1_000, cpu: (user + system) / 1e6, delay, result }
}

const shown = (n: number): string => n.toFixed(2).padStart(7)

async function baseline(): Promise<void> {
  const { seconds, cpu } = await timed(async () => {
    for await (const _ of await history.stream(listOf(feed, 1), 'JSONCompactEachRow'));
  })
  console.log(`${'read, thrown away'.padEnd(24)} ${shown(seconds)} s, CPU ${shown(cpu)} s`)
}

/** A format whose file is not that of the present list. */
async function generation(name: string, what: string): Promise<void> {
  const make = generations({ lists, files, version: 'bench', now: Date.now })
  const { seconds, cpu, delay, result } = await timed(() => make.current(definition, formatNamed(name)!))
  const { bytes } = (await files.file(result.generation, 'identity'))!
  const size = `${(bytes / 1e6).toFixed(1)} MB`
  console.log(`${`${what} ${name}`.padEnd(24)} ${shown(seconds)} s, CPU ${shown(cpu)} s, ${size}, ${spent(delay)}`)
}

const spent = (delay: number): string =>
  `rss ${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MiB, event loop ${delay.toFixed(0)} ms at most`

async function allAtOnce(): Promise<void> {
  const make = generations({ lists, files, version: 'bench', now: Date.now })
  const from = performance.now()
  const took: [name: string, seconds: number][] = []
  const { seconds, cpu, delay } = await timed(() =>
    Promise.all(
      ALL.map(async (format) => {
        await make.current(definition, format)
        took.push([format.name, (performance.now() - from) / 1_000])
      }),
    ),
  )
  console.log(`${`all ${ALL.length} at once`.padEnd(24)} ${shown(seconds)} s, CPU ${shown(cpu)} s, ${spent(delay)}`)
  for (const [name, one] of took) console.log(`  ${name.padEnd(22)} ${shown(one)} s`)
}

try {
  await write(0, ITEMS, 0)
  console.log(`${ITEMS} items; CPU is that of the API, without the store`)
  await baseline()
  for (const name of FORMATS) await generation(name, 'first')
  await write(0, ITEMS / 100, 1, { tags: ['changed'] })
  for (const name of FORMATS) await generation(name, 'next')
  await write(0, ITEMS / 100, 2, { tags: ['changed again'] })
  await allAtOnce()
  await baseline()
  const make = generations({ lists, files, version: 'bench', now: Date.now })
  const { generation: last } = await make.current(definition, formatNamed('text')!)
  for (const coding of ['gzip', 'zstd'] as const) {
    const { seconds, result } = await timed(() => files.file(last, coding))
    console.log(`${`pack text, ${coding}`.padEnd(24)} ${shown(seconds)} s, ${(result!.bytes / 1e6).toFixed(1)} MB`)
  }
  const again: number[] = []
  for (let i = 0; i < ASKED; i++) {
    const { seconds } = await timed(async () => {
      const { generation: found } = await make.current(definition, formatNamed('text')!)
      await files.file(found, 'identity')
    })
    again.push(seconds * 1_000)
  }
  const [middle, slow] = [at(again, 0.5), at(again, 0.99)]
  console.log(`found again: p50 ${middle.toFixed(2)} ms, p99 ${slow.toFixed(2)} ms of ${ASKED}`)
} finally {
  files.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}
