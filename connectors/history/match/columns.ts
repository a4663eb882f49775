import { FIELD_NAMES } from '../../../schemas/match/event.ts'
import type { LedgerColumns, Texts } from '../../../schemas/match/ledger.ts'
import type { ColumnBlock } from '../native/column-block.ts'
import type { EventIds } from './port.ts'

/** Columns of the tables that get something for every event, as the migrations declare them. */

const DIGEST_BYTES = 16

export function writeIds(to: ColumnBlock, { digests, expires }: EventIds, batch: bigint): void {
  to.begin(3, expires.length)
  to.fixed('id', digests, DIGEST_BYTES)
  to.sameUint64('batch', batch)
  to.dateTimes('expires', (row) => expires[row]!)
}

/** Few texts, each once. */
function textsOf(list: readonly string[]): Texts {
  const bytes = Buffer.from(list.join(''))
  const bounds = new Uint32Array(list.length + 1)
  for (const [n, text] of list.entries()) bounds[n + 1] = bounds[n]! + Buffer.byteLength(text)
  return { bytes, bounds, step: 1 }
}

const FIELDS = textsOf(FIELD_NAMES)

export function writeLedger(to: ColumnBlock, ledger: LedgerColumns): void {
  const { rows, group, groups, value } = ledger
  to.begin(12, rows)
  to.texts('owner', textsOf(groups.map(({ owner }) => owner)), group)
  to.texts('anchor', ledger.anchors, value)
  to.texts('key', ledger.keys, value)
  to.texts('value', ledger.values, value)
  to.texts('field', FIELDS, ledger.field)
  to.dateTimes('hour', (row) => groups[group[row]!]!.hour)
  to.uint64('count', 'UInt64', ledger.count)
  to.uint64('first', "DateTime64(3, 'UTC')", ledger.first)
  to.uint64('last', "DateTime64(3, 'UTC')", ledger.last)
  to.textLists('hosts', ledger.hosts)
  to.textLists('refs', ledger.refs)
  to.dateTimes('expires', (row) => groups[group[row]!]!.expires)
}
