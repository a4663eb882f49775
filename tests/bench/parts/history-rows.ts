import { createHash } from 'node:crypto'
import type { Block } from '../../../connectors/history/port.ts'
import { blocks } from '../../../connectors/history/stores/blocks-store.ts'

type HistoryRow = Parameters<ReturnType<typeof blocks>['history']['add']>[0]

const hex = (text: string): string => createHash('sha256').update(text).digest('hex')
const uuidOf = (text: string): string => hex(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
const TYPES = ['ip', 'domain', 'url', 'sha256_hash']
const DAY = 24 * 60 * 60 * 1000

/** One row of the shape that a feed of indicators makes; `i` decides everything. */
export const historyRow = (i: number, start: number): HistoryRow => {
  const entity = Math.floor(i * 0.61) % 3_000_000
  const value = `host-${entity}.example-${entity % 997}.test`
  const asn = String(64_512 + (entity % 1000))
  return {
    ts: start + (i % (20 * DAY)),
    id: uuidOf(`observation ${i}`),
    digest: hex(value),
    type: TYPES[entity % TYPES.length]!,
    value,
    user_id: `user-${i % 40}`,
    source: `customer-${i % 25}`,
    source_kind: 'customer',
    kind: 'report',
    reputation: -(i % 4),
    stated: 1,
    accuracy: i % 4,
    tags: ['malware', `family-${entity % 50}`],
    attributes: { asn, country: 'Iceland', port: `${i % 65_536}/tcp` },
    audience: BigInt(i % 5) * 3_000_000_000_000_000_000n + 1n,
    well_known: 0,
    terms: [value, `example-${entity % 997}.test`, asn, 'iceland'],
    submission_id: uuidOf(`submission ${i}`),
    topic_partition: i % 2,
    log_offset: i,
  }
}

/** Blocks of `size` rows, `count` of them, encoded ahead: a measurement of inserts should not pay for them. */
export const historyBlocks = (count: number, size: number, start: number): { blocks: Block[]; encodeMs: number } => {
  const rows = blocks().history
  const made: Block[] = []
  let encodeMs = 0
  for (let b = 0; b < count; b++) {
    const given = Array.from({ length: size }, (_, i) => historyRow(b * size + i, start))
    const from = performance.now()
    for (const row of given) rows.add(row)
    made.push(rows.finish())
    encodeMs += performance.now() - from
  }
  return { blocks: made, encodeMs }
}
