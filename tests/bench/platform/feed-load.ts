/**
 * What published feeds cost the observation job: the same log is worked off without a feed, which is the baseline, and with
 * feeds that follow it; then how long their lists take to follow.
 * Run: npm run bench -- feed-load [observations] [feeds...]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mixedSelector } from '../../builders/intelligence/selectors/mixed.ts'
import { lagOf } from '../../builders/platform/lag.ts'
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
import { imported } from '../write/pipeline.ts'

const [OBSERVATIONS = 500_000, ...COUNTS] = process.argv.slice(2).map(Number)
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
  try {
    const env = { HARRIER_TIERS_FILE: tiersFile(folder) }
    const data = join(folder, 'data')
    if (feeds > 0) {
      const first = await startPlatform(data, env)
      await publish(first, feeds)
      await first.stop()
    }
    imported(data, written(folder))
    const { platform, rate } = await drained(data, env)
    const from = performance.now()
    await eventually(
      () => lagOf(platform.url, 'feeds'),
      (left) => left === 0,
      GIVE_UP_MS,
    )
    const cpu = useOf(platform.pid).map(({ command, cpuSeconds }) => `${command} ${cpuSeconds.toFixed(1)}`)
    console.log(
      `${feeds} feeds: lists follow ${shown((performance.now() - from) / 1_000)} s later; CPU-seconds: ${cpu.join(', ')}`,
    )
    if (feeds > 0) {
      const { body } = await platform.ask('/api/feeds/v1/feeds', undefined, ADMINISTRATOR)
      const sizes = body.items.map(({ items }: { items: number }) => items)
      console.log(`  items of the first page of feeds: ${sizes.reduce((sum: number, n: number) => sum + n, 0)}`)
    }
    await platform.stop()
    return rate
  } finally {
    remove(folder)
  }
}

const baseline = await measured(0)
for (const feeds of COUNTS.length > 0 ? COUNTS : [1, 100, 1_000])
  console.log(`the job with ${feeds} feeds: ${((await measured(feeds)) / baseline).toFixed(2)} of its rate without`)
