/**
 * How fast a feed becomes observations, and which step takes the time. Run by hand, `npx node tests/bench/write/feeds.ts
 * [file [format [columns]]]`; without a file, on a million made-up lines.
 */
import { createReadStream } from 'node:fs'
import { type Format, type ParseOptions, parseFeed } from '../../../connectors/feeds/read-feed.ts'
import { packagedGeo } from '../../../connectors/geo/packaged.ts'
import { batches } from '../../../pipelines/import/batches.ts'
import { importIds } from '../../../pipelines/import/import-ids.ts'
import { definitionOf } from '../../../schemas/intelligence/entities/catalogue.ts'
import { expand } from '../../../schemas/intelligence/ingest/expand.ts'
import { feedProvenance } from '../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'

const [file, format = 'tsv', columns = 'indicator,category,malware-family'] = process.argv.slice(2)

const options: ParseOptions = {
  format: format as Format,
  columns,
  header: false,
  trailingTags: false,
  isAttribute: (name) => definitionOf(name) !== undefined,
  reputation: -3,
  tags: [],
}

/** Domains, hosts, addresses with ports, and paths, about as a large feed mixes them. */
async function* madeUp(lines: number): AsyncGenerator<Buffer> {
  let chunk: string[] = []
  for (let i = 0; i < lines; i++) {
    const indicator = [`evil${i}.com`, `c2.evil${i}.net`, `8.${i & 255}.${(i >> 8) & 255}.7:443`, `/gate${i}.php`][
      i % 4
    ]
    chunk.push(`${indicator}\tmalware\tfamily_${i % 500}\n`)
    if (chunk.length < 5_000) continue
    yield Buffer.from(chunk.join(''))
    chunk = []
  }
  yield Buffer.from(chunk.join(''))
}

const bytes = (): AsyncIterable<Buffer> =>
  file === undefined ? madeUp(1_000_000) : createReadStream(file, { highWaterMark: 256 * 1024 })

const provenance = feedProvenance({ name: 'bench', trust: 0.7 }, 'report', ['public'], Date.UTC(2026, 0, 1))
const ids = importIds('bench')

async function measured(name: string, run: () => Promise<number>): Promise<void> {
  const started = performance.now()
  const cpu = process.cpuUsage()
  const count = await run()
  const seconds = (performance.now() - started) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  const busy = (user + system) / 1_000_000
  const rate = Math.round(count / seconds)
  console.log(`${name}: ${count} in ${seconds.toFixed(2)} s (${busy.toFixed(2)} s of processor), ${rate}/s`)
}

await measured('parse and detect', async () => {
  let count = 0
  for await (const items of parseFeed(bytes(), options)) count += items.length
  return count
})

await measured('  and expand', async () => {
  let count = 0
  for await (const items of parseFeed(bytes(), options)) {
    for (const item of items) if ('entity' in item && expand(item.entity, provenance, ids.of(item.line)).ok) count++
  }
  return count
})

await measured('    and encode', async () => {
  const encode = encoder<Observation>(records.observation, 1)
  const limits = { after: 0, published: new Set<string>(), maxObservations: 10_000, maxBytes: 8 * 1024 * 1024 }
  let count = 0
  for await (const batch of batches(parseFeed(bytes(), options), {
    ids,
    provenanceOf: () => provenance,
    encode,
    ...limits,
  })) {
    count += batch.messages.length
  }
  return count
})

const before = performance.now()
const geo = packagedGeo()
console.log(`address data: loaded in ${Math.round(performance.now() - before)} ms`)
await measured('locate', async () => {
  for (let i = 0; i < 1_000_000; i++) {
    const n = Math.imul(i, 2_654_435_761) >>> 0
    geo.locate(`${n >>> 24}.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`)
  }
  return 1_000_000
})
console.log(`memory: ${Math.round(process.memoryUsage().rss / 1_048_576)} MiB resident`)
