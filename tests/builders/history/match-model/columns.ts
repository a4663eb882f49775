/** What the job gives to its store by columns, as the rows that they stand for, and the other way round. */

import type { EventIds } from '../../../../connectors/history/match/port.ts'
import { digestsOf } from '../../../../pipelines/processors/match/columns/digests.ts'
import { columnReader } from '../../../../pipelines/processors/match/columns/event-columns.ts'
import type { EventPart } from '../../../../pipelines/processors/match/columns/event-part.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { FIELD_NAMES, type FieldName, type TelemetryRecord } from '../../../../schemas/match/event.ts'
import type { LedgerColumns, StoredLedgerRow, TextLists, Texts } from '../../../../schemas/match/ledger.ts'

const encode = encoder<TelemetryRecord>(records.telemetry, 2)

export const textAt = ({ bytes, bounds, step }: Texts, n: number): string =>
  Buffer.from(bytes.subarray(bounds[n * step], bounds[n * step + 1])).toString()

const listAt = ({ ends, numbers, texts }: TextLists, row: number): string[] =>
  [...numbers.subarray(row === 0 ? 0 : ends[row - 1], ends[row])].map((n) => textAt(texts, n))

export const rowsOfColumns = (of: LedgerColumns): StoredLedgerRow[] =>
  Array.from({ length: of.rows }, (_, row) => {
    const { owner, hour, expires } = of.groups[of.group[row]!]!
    const n = of.value[row]!
    return {
      owner,
      anchor: textAt(of.anchors, n),
      key: textAt(of.keys, n),
      value: textAt(of.values, n),
      field: FIELD_NAMES[of.field[row]!]!,
      hour,
      count: of.count[row]!,
      first: of.first[row]!,
      last: of.last[row]!,
      hosts: listAt(of.hosts, row),
      refs: listAt(of.refs, row),
      expires,
    }
  })

function textsOf(list: readonly string[]): Texts {
  const bounds = [0]
  for (const text of list) bounds.push(bounds.at(-1)! + Buffer.byteLength(text))
  return { bytes: Buffer.from(list.join('')), bounds: Uint32Array.from(bounds), step: 1 }
}

function listsOf(lists: readonly (readonly string[])[]): TextLists {
  const all = lists.flat()
  let end = 0
  return {
    ends: Uint32Array.from(lists, ({ length }) => (end += length)),
    numbers: Uint32Array.from(all, (_, n) => n),
    texts: textsOf(all),
  }
}

export const columnsOfRows = (rows: readonly StoredLedgerRow[]): LedgerColumns => ({
  rows: rows.length,
  group: Uint32Array.from(rows, (_, n) => n),
  groups: rows.map(({ owner, hour, expires }) => ({ owner, hour, expires })),
  field: Uint32Array.from(rows, ({ field }) => FIELD_NAMES.indexOf(field as FieldName)),
  value: Uint32Array.from(rows, (_, n) => n),
  anchors: textsOf(rows.map(({ anchor }) => anchor)),
  keys: textsOf(rows.map(({ key }) => key)),
  values: textsOf(rows.map(({ value }) => value)),
  count: Uint32Array.from(rows, ({ count }) => count),
  first: Float64Array.from(rows, ({ first }) => first),
  last: Float64Array.from(rows, ({ last }) => last),
  hosts: listsOf(rows.map(({ hosts }) => hosts)),
  refs: listsOf(rows.map(({ refs }) => refs)),
})

/** @param ids digests of 32 hexadecimal digits */
export const idColumns = (ids: readonly { digest: string; expires: number }[]): EventIds => ({
  digests: Buffer.from(ids.map(({ digest }) => digest).join(''), 'hex'),
  expires: Float64Array.from(ids, ({ expires }) => expires),
})

export const idsOfColumns = ({ digests, expires }: EventIds): { digest: string; expires: number }[] =>
  Array.from(expires, (time, n) => ({ digest: digests.toString('hex', n * 16, n * 16 + 16), expires: time }))

/** Events as the job has them once their owners are known; each is logged at its own time. */
export function partOf(events: readonly TelemetryRecord[], reader = columnReader()): EventPart {
  const columns = reader.begin(events.length)
  for (const [n, event] of events.entries())
    if (!reader.add(columns, n, encode(event), event.at, true)) throw new Error(`event ${n} has no id`)
  const owners: string[] = []
  for (let n = 0; n < columns.size; n++) owners[columns.source[n]!] = events[n]!.owner
  const all = Uint32Array.from({ length: columns.size }, (_, n) => n)
  return { columns, events: all, owners, digests: digestsOf(columns, all, owners) }
}
