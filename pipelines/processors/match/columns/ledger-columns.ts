import { hashOf } from '../../../../schemas/match/event-bytes.ts'
import { HOUR_MS, type LedgerColumns, MAX_HOSTS, MAX_REFS, type TextLists } from '../../../../schemas/match/ledger.ts'
import { type ByteNumbers, byteNumbers } from './byte-numbers.ts'
import { type EventColumns, firstValue, type Spans } from './event-columns.ts'
import type { EventPart } from './event-part.ts'

/** Lists of numbers, each with few: the last one that came first. */
function numberLists(rows: number, numbers: number, most: number) {
  const lasts = new Uint32Array(rows)
  const lengths = new Uint8Array(rows)
  const values = new Uint32Array(numbers + 1)
  const befores = new Uint32Array(numbers + 1)
  let size = 0
  return {
    add(row: number, number: number): void {
      if (lengths[row] === most) return
      for (let at = lasts[row]!; at > 0; at = befores[at]!) if (values[at] === number) return
      size++
      values[size] = number
      befores[size] = lasts[row]!
      lasts[row] = size
      lengths[row]!++
    },
    finish(count: number, texts: TextLists['texts']): TextLists {
      const ends = new Uint32Array(count)
      const found = new Uint32Array(size)
      let end = 0
      for (let row = 0; row < count; row++) {
        for (let at = lasts[row]!; at > 0; at = befores[at]!) found[end++] = values[at]!
        ends[row] = end
      }
      return { ends, numbers: found, texts }
    },
  }
}

/** Owners and hours, each pair once. @param expires when a row of an owner is forgotten, by the beginning of its hour */
function rowGroups(expires: (owner: string, hour: number) => number) {
  const groups: { owner: string; hour: number; expires: number }[] = []
  const known = new Map<string, number>()
  let last = { owner: '', hour: -1, group: -1 }
  return {
    groups,
    of(owner: string, hour: number): number {
      if (last.hour === hour && last.owner === owner) return last.group
      const key = `${owner} ${hour}`
      const group = known.get(key) ?? groups.push({ owner, hour, expires: expires(owner, hour) }) - 1
      known.set(key, group)
      last = { owner, hour, group }
      return group
    },
  }
}

/** The number of the text of an event; -1 where it has none. */
function textOf(texts: ByteNumbers, { records }: EventColumns, { from, to }: Spans, event: number): number {
  const [begin, end] = [from[event]!, to[event]!]
  if (begin === end) return -1
  const record = records[event]!
  const hash = hashOf(record, begin, end, 0)
  const known = texts.find(record, begin, end, hash)
  return known < 0 ? texts.add(record, begin, end, hash) : known
}

/**
 * What events add to the ledger of their owners (decisions 14.4): a row for each value, field and hour. Values are told
 * apart by their numbers, of which one value may have several: then there are rows of the same place, which the store
 * adds up.
 */
export function ledgerColumns(
  { columns, events, owners }: EventPart,
  expires: (owner: string, hour: number) => number,
): LedgerColumns {
  let most = 0
  for (const event of events) most += columns.valueEnds[event]! - firstValue(columns, event)
  const slots = new Uint32Array(2 << (31 - Math.clz32(2 * most + 1)))
  const mask = slots.length - 1
  const [group, field, value] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(most)]
  const [count, first, last] = [new Uint32Array(most), new Float64Array(most), new Float64Array(most)]
  const [hosts, refs] = [numberLists(most, most, MAX_HOSTS), numberLists(most, most, MAX_REFS)]
  const [hostTexts, refTexts] = [byteNumbers(), byteNumbers()]
  const { groups, of: groupOf } = rowGroups(expires)
  let rows = 0

  function rowOf(g: number, f: number, number: number, at: number): number {
    let slot = Math.imul(number + Math.imul(16 * g + f, 0x85ebca6b), 0x9e3779b1)
    for (slot = (slot ^ (slot >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const row = slots[slot]! - 1
      if (row < 0) break
      if (value[row] === number && field[row] === f && group[row] === g) return row
    }
    const row = rows++
    slots[slot] = rows
    group[row] = g
    field[row] = f
    value[row] = number
    first[row] = at
    last[row] = at
    return row
  }

  for (const event of events) {
    const at = columns.at[event]!
    const g = groupOf(owners[columns.source[event]!]!, Math.floor(at / HOUR_MS) * HOUR_MS)
    const host = textOf(hostTexts, columns, columns.host, event)
    const ref = textOf(refTexts, columns, columns.ref, event)
    for (let n = firstValue(columns, event); n < columns.valueEnds[event]!; n++) {
      const row = rowOf(g, columns.fields[n]!, columns.numbers[n]!, at)
      count[row]!++
      if (at < first[row]!) first[row] = at
      if (at > last[row]!) last[row] = at
      if (host >= 0) hosts.add(row, host)
      if (ref >= 0) refs.add(row, ref)
    }
  }
  const { values } = columns
  return {
    rows,
    group,
    groups,
    field,
    value,
    anchors: values.anchors(),
    keys: values.keys(),
    values: values.values(),
    count,
    first,
    last,
    hosts: hosts.finish(rows, hostTexts.texts),
    refs: refs.finish(rows, refTexts.texts),
  }
}
