import type { LookupSource, Lookups } from '../../../../connectors/lookups/port.ts'
import { MAX_COVERING } from '../../../../schemas/intelligence/propagation/networks.ts'
import type { Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import { type PresentView, presentViews } from '../../../../schemas/intelligence/state/present.ts'
import type { Reader } from '../readers.ts'
import { type Covering, type Coverings, showNetworks } from './covering.ts'

/** The same as `coverings`, read in the index of look-ups where there is one: no statement, and no list of all networks. */
export function indexedCoverings(source: Pick<LookupSource, 'next'>, scoring: Scoring, stored: Coverings): Coverings {
  async function inIndex(lookups: Lookups, { audiences }: Reader, ips: readonly string[]) {
    const inner = Array.from(new Set(ips), (value) => ({ type: 'ip', value }))
    const around = await lookups.around(inner, audiences)
    const rows = await lookups.rows(new Set([...around.values()].flat()), audiences)
    const rules = await scoring()
    const networks = new Map<string, PresentView>()
    for (const [value, of] of rows)
      for (const view of presentViews(of, rules)) if (view.type === 'cidr') networks.set(value, view)
    const found = new Map<string, PresentView[]>()
    for (const [ip, values] of around) {
      const of = values.flatMap((value) => networks.get(value) ?? []).slice(0, MAX_COVERING)
      if (of.length > 0) found.set(ip, of)
    }
    return showNetworks(found)
  }

  return {
    async covering(reader: Reader, ips: readonly string[]): Promise<Map<string, Covering[]>> {
      if (ips.length === 0) return new Map()
      const lookups = await source.next()
      return lookups.by === 'index' ? inIndex(lookups, reader, ips) : stored.covering(reader, ips)
    },
  }
}
