import { HOUR_MS, hourOf, MAX_HOSTS, MAX_REFS, type StoredLedgerRow } from '../../../schemas/match/ledger.ts'
import type { ArrivedEvent, ArrivedValue } from './arrived.ts'

/** `owner`, hour, field and value, of which no two rows have the same. */
const keyOf = (owner: string, hour: number, { field, value }: ArrivedValue): string =>
  `${owner} ${hour / HOUR_MS} ${field} ${value}`

type Row = StoredLedgerRow & { hosts: string[]; refs: string[] }

function seenIn(byValue: Map<string, Map<ArrivedValue, Row>>, owner: string, hour: number): Map<ArrivedValue, Row> {
  const key = `${owner} ${hour}`
  const known = byValue.get(key) ?? new Map<ArrivedValue, Row>()
  if (known.size === 0) byValue.set(key, known)
  return known
}

const firstRow = (
  owner: string,
  hour: number,
  { value, field, place }: ArrivedValue,
  { at, host, ref }: ArrivedEvent['event'],
  expires: number,
): Row => ({
  owner,
  place,
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
 * What events add to the ledger of their owners (decisions-2 14.4): a row for each value, field and hour.
 * @param expires when a row of an owner is forgotten, by the beginning of its hour
 */
export function ledgerRows(
  events: readonly ArrivedEvent[],
  expires: (owner: string, hour: number) => number,
): StoredLedgerRow[] {
  const rows = new Map<string, Row>()
  /** Rows by their value as it was read: values that come often are read once, so most events need no key. */
  const byValue = new Map<string, Map<ArrivedValue, Row>>()
  for (const { owner, event, values } of events) {
    const { at, host, ref } = event
    const hour = hourOf(at)
    const seen = seenIn(byValue, owner, hour)
    for (const one of values) {
      let known = seen.get(one)
      if (known === undefined) {
        const key = keyOf(owner, hour, one)
        known = rows.get(key)
        if (known === undefined) {
          known = firstRow(owner, hour, one, event, expires(owner, hour))
          rows.set(key, known)
          seen.set(one, known)
          continue
        }
        seen.set(one, known)
      }
      known.count++
      if (at < known.first) known.first = at
      if (at > known.last) known.last = at
      if (host !== null && known.hosts.length < MAX_HOSTS && !known.hosts.includes(host)) known.hosts.push(host)
      if (ref !== null && known.refs.length < MAX_REFS && !known.refs.includes(ref)) known.refs.push(ref)
    }
  }
  return [...rows.values()]
}
