/**
 * What published feeds cost the observation job: the same log is worked off without a feed, which is the baseline, and with
 * feeds that follow it; then how long their lists take to follow.
 * Run: npm run bench -- feed-load [observations] [feeds...]
 * With `followed` as the first argument, 10,000 watchlist items and 20 streams follow it too.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mixedSelector, octets } from '../../builders/intelligence/selectors/mixed.ts'
import { lag } from '../../builders/platform/lag.ts'
import {
  ADMINISTRATOR,
  eventually,
  type Platform,
  remove,
  startPlatform,
  temporaryFolder,
} from '../../builders/platform/platform.ts'
import { drained } from '../parts/drained.ts'
import { useOf } from '../parts/processes.ts'
import { subscriber } from '../parts/subscriber.ts'
import { imported } from '../write/pipeline.ts'

const FOLLOWED = process.argv[2] === 'followed'
const [OBSERVATIONS = 500_000, ...COUNTS] = process.argv.slice(FOLLOWED ? 3 : 2).map(Number)
/** Of one watchlist, as many as it holds, and of all. */
const ITEMS = 1_000
const LISTS = 10
const STREAMS = 20
const GIVE_UP_MS = 900_000
const QUOTA = 10_000

const shown = (n: number): string => n.toFixed(2).padStart(8)

/** Quotas for more feeds than anybody may have by default. */
function tiersFile(folder: string): string {
  const file = join(folder, 'tiers.json')
  const quotas = { 'feeds-api': { max_feeds: { value: QUOTA, description: 'bench' } } }
  const limits = { 'feeds-api': { feeds_per_minute: { value: -1, window: 'minute', description: 'bench' } } }
  writeFileSync(file, JSON.stringify({ tiers: { Public: { quotas, limits } } }))
  return file
}

/** Feeds of a mix; each hundred has two long lists, of many items each. */
async function publish(platform: Platform, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const body = { name: `feed ${n}`, selector: mixedSelector(n), guard: null }
    const made = await platform.ask('/api/feeds/v1/feeds', body)
    if (made.status !== 201) throw new Error(`no feed: ${made.status} ${JSON.stringify(made.body)}`)
  }
  const building = async (): Promise<number> => {
    const { body } = await platform.ask('/api/feeds/v1/feeds')
    return body.items.filter(({ state }: { state: string }) => state === 'building').length
  }
  await eventually(building, (left) => left === 0, GIVE_UP_MS)
}

/** Watchlists as teams have them: names and addresses of their own, networks, tags of a family. */
async function watch(platform: Platform): Promise<void> {
  const headers = await subscriber(platform, ['user'])
  const made = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await platform.ask(`/api/casework/v1/watchlists${path}`, body, headers)
    if (answer.status !== 201) throw new Error(`no watchlist: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const kinds = [
    (n: number) => ({ kind: 'value', value: `host-${n}.example.net` }),
    (n: number) => ({ kind: 'suffix', value: `team-${n}.example` }),
    (n: number) => ({ kind: 'cidr', value: `${octets(n)}.0/24` }),
    (n: number) => ({ kind: 'tag', value: `actor-${n}` }),
  ]
  for (let list = 0; list < LISTS; list++) {
    const { id } = await made('', { name: `List ${list}` })
    for (let n = list * ITEMS; n < (list + 1) * ITEMS; n += 8)
      await Promise.all(Array.from({ length: 8 }, (_, i) => made(`/${id}/items`, kinds[i % 4]!(n + i))))
  }
}

/** Streams of changes, each of what another selector selects. What they tell is read and dropped, until they are closed. */
function streams(platform: Platform, headers: Record<string, string>): () => void {
  const end = new AbortController()
  for (let n = 0; n < STREAMS; n++) {
    // A stream is not told that time has passed.
    const selector = JSON.stringify({ ...mixedSelector(n * 7 + 3), seenWithin: undefined })
    const url = `${platform.url}/api/live/v1/changes?selector=${encodeURIComponent(selector)}`
    void (async () => {
      const response = await fetch(url, { headers, signal: end.signal })
      if (response.status !== 200) throw new Error(`no stream: ${response.status} ${await response.text()}`)
      for await (const _ of response.body!);
    })().catch((error) => {
      if (!end.signal.aborted) throw error
    })
  }
  return () => end.abort()
}

/** Observations of domains and addresses with tags, some of which the feeds name. */
function written(folder: string): string {
  const file = join(folder, 'feed.tsv')
  const lines = Array.from({ length: OBSERVATIONS }, (_, n) => {
    const value = n % 2 === 0 ? `evil${n}.example.net` : `${20 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.7`
    return `${value}\tmalware\tfamily-${n % 5_000}\n`
  })
  writeFileSync(file, lines.join(''))
  return file
}

async function measured(feeds: number): Promise<number> {
  const folder = temporaryFolder()
  const followed = FOLLOWED && feeds > 0
  let close = (): void => undefined
  try {
    const env = { HARRIER_TIERS_FILE: tiersFile(folder) }
    const data = join(folder, 'data')
    let streaming: Record<string, string> = {}
    if (feeds > 0) {
      const first = await startPlatform(data, env)
      await publish(first, feeds)
      if (followed) {
        await watch(first)
        streaming = await subscriber(first, ['user'])
      }
      await first.stop()
    }
    const importing = imported(data, written(folder))
    const { platform, rate } = await drained(data, env, (started) => {
      if (followed) close = streams(started, streaming)
    })
    const from = performance.now()
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
      GIVE_UP_MS,
    )
    const uses = useOf(platform.pid)
    const cpu = uses.map(({ command, cpuSeconds }) => `${command} ${cpuSeconds.toFixed(1)}`)
    const all = (uses.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0) * 1e6) / OBSERVATIONS
    console.log(
      `${feeds} feeds: lists follow ${shown((performance.now() - from) / 1_000)} s later; CPU-seconds: ${cpu.join(', ')}`,
    )
    console.log(
      `  ${(importing + all).toFixed(1)} CPU-seconds a million with the import, the start and all that follows`,
    )
    close()
    if (feeds > 0) {
      const { body } = await platform.ask('/api/feeds/v1/feeds', undefined, ADMINISTRATOR)
      const sizes = body.items.map(({ items }: { items: number }) => items)
      console.log(`  items of the first page of feeds: ${sizes.reduce((sum: number, n: number) => sum + n, 0)}`)
    }
    await platform.stop()
    return rate
  } finally {
    close()
    remove(folder)
  }
}

const baseline = await measured(0)
for (const feeds of COUNTS.length > 0 ? COUNTS : [1, 100, 1_000])
  console.log(`the job with ${feeds} feeds: ${((await measured(feeds)) / baseline).toFixed(2)} of its rate without`)
