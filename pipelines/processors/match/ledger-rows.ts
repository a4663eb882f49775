import { HOUR_MS, hourOf, MAX_HOSTS, MAX_REFS, type StoredLedgerRow } from '../../../schemas/match/ledger.ts'
import type { ArrivedEvent, ArrivedValue } from './arrived.ts'

/** `owner`, hour, field and value, of which no two rows have the same. */
const keyOf = (owner: string, hour: number, { field, value }: ArrivedValue): string =>
  `${owner} ${hour / HOUR_MS} ${field} ${value}`

type Row = StoredLedgerRow & { hosts: string[]; refs: string[] }

/**
 * What events add to the ledger of their owners (decisions-2 14.4): a row for each value, field and hour.
 * @param expires when a row of an owner is forgotten, by the beginning of its hour
 */
export function ledgerRows(
  events: readonly ArrivedEvent[],
  expires: (owner: string, hour: number) => number,
): StoredLedgerRow[] {
  const rows = new Map<string, Row>()
  for (const { owner, event, values } of events) {
    const { at, host, ref } = event
    const hour = hourOf(at)
    for (const one of values) {
      const key = keyOf(owner, hour, one)
      const known = rows.get(key)
      if (known === undefined) {
        const { value, field, place } = one
        const [hosts, refs] = [host === null ? [] : [host], ref === null ? [] : [ref]]
        const times = { hour, first: at, last: at, expires: expires(owner, hour) }
        rows.set(key, { owner, place, value, field, count: 1, hosts, refs, ...times })
        continue
      }
      known.count++
      known.first = Math.min(known.first, at)
      known.last = Math.max(known.last, at)
      if (host !== null && known.hosts.length < MAX_HOSTS && !known.hosts.includes(host)) known.hosts.push(host)
      if (ref !== null && known.refs.length < MAX_REFS && !known.refs.includes(ref)) known.refs.push(ref)
    }
  }
  return [...rows.values()]
}
