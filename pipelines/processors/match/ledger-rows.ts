import { hourOf, MAX_HOSTS, MAX_REFS, type StoredLedgerRow } from '../../../schemas/match/ledger.ts'
import type { ArrivedEvent, ArrivedValue } from './arrived.ts'

type Row = StoredLedgerRow & { hosts: string[]; refs: string[] }

const firstRow = (
  owner: string,
  hour: number,
  { value, field, anchor, key }: ArrivedValue,
  { at, host, ref }: ArrivedEvent['event'],
  expires: number,
): Row => ({
  owner,
  anchor,
  key,
  value,
  field,
  count: 1,
  hosts: host === null ? [] : [host],
  refs: ref === null ? [] : [ref],
  hour,
  first: at,
  last: at,
  expires,
})

/**
 * What events add to the ledger of their owners (decisions-2 14.4): a row for each value, field and hour. Values are told
 * apart by the object that their reader gives for all events with it; where it had to give another one, there are two
 * rows of the same place, which the store adds up.
 * @param expires when a row of an owner is forgotten, by the beginning of its hour
 */
export function ledgerRows(
  events: readonly ArrivedEvent[],
  expires: (owner: string, hour: number) => number,
): StoredLedgerRow[] {
  const rows: Row[] = []
  const hours = new Map<string, Map<ArrivedValue, Row>>()
  let last = { owner: '', hour: -1, seen: new Map<ArrivedValue, Row>() }

  function seenIn(owner: string, hour: number): Map<ArrivedValue, Row> {
    if (last.hour === hour && last.owner === owner) return last.seen
    const key = `${owner} ${hour}`
    const seen = hours.get(key) ?? new Map<ArrivedValue, Row>()
    if (seen.size === 0) hours.set(key, seen)
    last = { owner, hour, seen }
    return seen
  }

  for (const { owner, event, values } of events) {
    const { at, host, ref } = event
    const hour = hourOf(at)
    const seen = seenIn(owner, hour)
    for (const one of values) {
      const known = seen.get(one)
      if (known === undefined) {
        const row = firstRow(owner, hour, one, event, expires(owner, hour))
        rows.push(row)
        seen.set(one, row)
        continue
      }
      known.count++
      if (at < known.first) known.first = at
      if (at > known.last) known.last = at
      if (host !== null && known.hosts.length < MAX_HOSTS && !known.hosts.includes(host)) known.hosts.push(host)
      if (ref !== null && known.refs.length < MAX_REFS && !known.refs.includes(ref)) known.refs.push(ref)
    }
  }
  return rows
}
