/**
 * A collection of a TAXII server as its readers see it, over HTTP: pages of 1,000 objects at the beginning, in the middle
 * and at the end by `added_after`, once the platform is quiet; before that a walk through all of it, once alone and once by
 * four readers. The baseline is the same list as one document, `items.stix`.
 * Run: npm run bench -- taxii [entities, of four objects each] [pages of each depth]
 */

import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { command } from '../../builders/platform/command.ts'
import { eventually, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'
import { useOf } from '../parts/processes.ts'
import { type Page, pageClient } from '../parts/read/page-client.ts'
import { subscriber } from '../parts/subscriber.ts'
import { printPercentiles } from '../parts/timed.ts'
import { cpuOf, metric, untilQuiet } from './match/watch.ts'

const [ENTITIES = 250_000, PAGES = 100] = process.argv.slice(2).map(Number)
const OBJECTS_EACH = 4
const PAGE = 1_000
const READERS = 4
/** Pages of each depth that are not counted: a process that was idle has given memory back, and takes it again. */
const WARM = 200
/** Imported, listed and written as objects within it. */
const GIVE_UP_MS = 900_000

type PageClient = ReturnType<typeof pageClient>

const folder = temporaryFolder()
const addressOf = (n: number): string => `${20 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.7`
const print = (what: string, text: string): void => console.log(`${what.padEnd(34)} ${text}`)

const platform = await startPlatform(folder)
try {
  const headers = await subscriber(platform, ['user', 'reporter'])
  const used = (): number => useOf(platform.pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  const file = join(folder, 'list.txt')
  writeFileSync(file, Array.from({ length: ENTITIES }, (_, n) => `${addressOf(n)}\n`).join(''))
  const { code, stderr } = await command(folder, 'feed', 'import', file, '--format', 'lines', '--feed', 'bench')
  if (code !== 0) throw new Error(`feed import ended with ${code}: ${stderr}`)

  const feed = {
    name: 'bench',
    selector: { reputation: { lte: -1 } },
    groups: ['public'],
    guard: null,
    cap: 10_000_000,
  }
  const made = await platform.ask('/api/feeds/v1/feeds', feed, headers)
  if (made.status !== 201) throw new Error(`feed: ${made.status} ${JSON.stringify(made.body)}`)
  const collection = `${platform.url}/taxii2/harrier/collections/${made.body.id}/objects/`
  const [from, before] = [performance.now(), used()]
  const wanted = ENTITIES * OBJECTS_EACH
  await eventually(
    async () => metric(platform, 'harrier_collection_objects_total'),
    (count) => count >= wanted,
    GIVE_UP_MS,
  )
  const seconds = (performance.now() - from) / 1_000
  print(
    'list and collection made',
    `${wanted} objects in ${seconds.toFixed(0)} s, ${(used() - before).toFixed(0)} CPU-seconds`,
  )

  const page = ({ page: ask }: PageClient, after: string): Promise<Page> =>
    ask(`${collection}?limit=${PAGE}${after === '' ? '' : `&added_after=${after}`}`)

  /** All dates at which a page ends. */
  const walk = async (): Promise<{ dates: string[]; objects: number }> => {
    const client = pageClient(headers)
    const dates: string[] = []
    let objects = 0
    for (let after = ''; ; ) {
      const { objects: count, last } = await page(client, after)
      objects += count
      if (last === null) {
        client.close()
        return { dates, objects }
      }
      dates.push(last)
      after = last
    }
  }

  const walked = async (name: string, readers: number): Promise<string[]> => {
    const [began, cpu] = [performance.now(), cpuOf(platform.pid)]
    const found = await Promise.all(Array.from({ length: readers }, walk))
    const objects = found.reduce((sum, one) => sum + one.objects, 0)
    const took = (performance.now() - began) / 1_000
    const million = [...cpuOf(platform.pid)].map(
      ([program, by]) => `${program} ${(((by - cpu.get(program)!) / objects) * 1e6).toFixed(1)}`,
    )
    print(
      name,
      `${(objects / took).toFixed(0)} objects/s: ${objects} in ${took.toFixed(1)} s; CPU-seconds a million: ${million.join(', ')}`,
    )
    return found[0]!.dates
  }

  const dates = await walked('walk', 1)
  await walked(`walk, ${READERS} readers`, READERS)
  await untilQuiet(platform.pid)
  const third = Math.floor(dates.length / 3)
  const depths = ['beginning', 'middle', 'end'].map((name, n) => ({ name, first: n * third, took: [] as number[] }))
  const client = pageClient(headers)
  // By turns, so that all depths meet what else the machine does.
  for (let n = -WARM; n < PAGES; n++)
    for (const { first, took } of depths) {
      const read = await page(client, dates[first + (((n + WARM) * 7) % third)]!)
      if (n >= 0) took.push(read.took)
    }
  client.close()
  for (const { name, took } of depths) printPercentiles(`page of ${PAGE}, ${name}`, took)
  printPercentiles(
    `page of ${PAGE}, all of these`,
    depths.flatMap(({ took }) => took),
  )

  const [began, cpu] = [performance.now(), used()]
  const list = await fetch(`${platform.url}/api/feeds/v1/feeds/${made.body.id}/items.stix`, { headers })
  let bytes = 0
  for await (const chunk of list.body!) bytes += chunk.length
  print(
    'baseline: items.stix as a whole',
    `${list.status}, ${(bytes / 1e6).toFixed(0)} MB in ${((performance.now() - began) / 1_000).toFixed(1)} s, ${(used() - cpu).toFixed(1)} CPU-seconds`,
  )
  print('load', loadavg()[0]!.toFixed(1))
} finally {
  await platform.stop()
  remove(folder)
}
