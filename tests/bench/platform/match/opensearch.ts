import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { valueReader } from '../../../../pipelines/processors/match/arrived.ts'
import type { TelemetryRecord } from '../../../../schemas/match/event.ts'
import { lookupsOf } from '../../../../schemas/match/subject.ts'
import { type OpenSearch, openSearch } from '../../parts/opensearch/client.ts'
import { HITS, indicatorOf } from './events.ts'

const SCRIPT = fileURLToPath(new URL('../../../../infra/dev/opensearch.sh', import.meta.url))
const PORT = '9377'
const INDEX = 'indicators'
const BULK = 20_000
/** Documents beside those that events meet: more would take longer to load than all the rest. */
const MOST = 1_000_000
const EVENTS = 100_000
const BATCH = 5_000

async function loaded(os: OpenSearch, count: number): Promise<void> {
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1', max_terms_count: 65_536 }
  await os.ask('DELETE', `/${INDEX}?ignore_unavailable=true`)
  const mappings = { properties: { value: { type: 'keyword' } } }
  await os.ask('PUT', `/${INDEX}`, { settings: { index: settings }, mappings })
  for (let from = 0; from < count + HITS; from += BULK) {
    const lines = Array.from({ length: Math.min(BULK, count + HITS - from) }, (_, i) => {
      const at = from + i
      const value = at < HITS ? indicatorOf(at).value : `host-${at}.example-${at % 997}.com`
      return `{"index":{}}\n${JSON.stringify({ value })}\n`
    })
    await os.ask('POST', `/${INDEX}/_bulk`, lines.join(''))
  }
  await os.ask('POST', `/${INDEX}/_forcemerge?max_num_segments=1`)
  await os.ask('POST', `/${INDEX}/_refresh`)
}

type Found = { hits: { hits: { _source: { value: string } }[] } }

/** The values that a batch is looked up by, each once. */
function termsOf(events: readonly TelemetryRecord[], read: ReturnType<typeof valueReader>): string[] {
  const terms = new Set<string>()
  for (const { fields } of events)
    for (const one of read(fields)) for (const { value } of lookupsOf(one.field, one)) terms.add(value)
  return [...terms]
}

/**
 * The same look-ups as terms queries: it finds the indicators of a batch, and keeps no ledger, tells no match and knows no
 * networks. Where OpenSearch cannot be started, that is said.
 */
export async function matchedByOpenSearch(make: () => TelemetryRecord, indicators: number): Promise<void> {
  const started = spawnSync(SCRIPT, ['start', PORT], { encoding: 'utf8' })
  if (started.status !== 0) {
    console.log(`OpenSearch       left out, as it does not start: ${started.stderr.trim().split('\n').at(-1)}`)
    return
  }
  try {
    const os = await openSearch(started.stdout.trim())
    const count = Math.min(MOST, indicators)
    await loaded(os, count)
    const read = valueReader()
    const batches = Array.from({ length: EVENTS / BATCH }, () => Array.from({ length: BATCH }, make))
    let hits = 0
    const [began, own, theirs] = [performance.now(), process.cpuUsage(), await os.cpuSeconds()]
    for (const batch of batches) {
      const query = { terms: { value: termsOf(batch, read) } }
      const body = { size: 10_000, track_total_hits: false, query: { constant_score: { filter: query } } }
      const found = await os.ask<Found>('POST', `/${INDEX}/_search?request_cache=false`, body)
      hits += found.hits.hits.length
    }
    const seconds = (performance.now() - began) / 1_000
    const { user, system } = process.cpuUsage(own)
    const [client, node] = [(user + system) / 1e6, (await os.cpuSeconds()) - theirs]
    const million = (used: number): string => ((used * 1e6) / EVENTS).toFixed(1)
    console.log(
      `OpenSearch ${os.version} ${Math.round(EVENTS / seconds).toLocaleString('en')} events/s over ${count} indicators, look-ups alone, ${hits} hits`,
    )
    console.log(
      `                 ${million(client + node)} CPU-seconds a million: client ${million(client)}, node ${million(node)}`,
    )
  } finally {
    spawnSync(SCRIPT, ['stop', PORT])
  }
}
