import { countersOf, type Dim, dayOf } from '../../../schemas/intelligence/state/counters.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import type { CountDelta } from '../../../schemas/intelligence/state/stored.ts'

type Tally = Record<Dim, Map<string, number>>

const tally = (): Tally => ({
  cell: new Map(),
  day: new Map(),
  tag: new Map(),
  country: new Map(),
  asn: new Map(),
  aso: new Map(),
})

/** Signed differences of a batch, added up per counter, so that a batch writes few rows whatever its size. */
export function countDeltas() {
  const byAudience = new Map<bigint, { benign: Tally; malicious: Tally }>()
  const days = new Map<number, string>()

  /** One text per day: formatting a date for each of 50,000 rows is not free. */
  const dayText = (time: number): string => {
    const day = Math.floor(time / 86_400_000)
    let text = days.get(day)
    if (text === undefined) {
      text = dayOf(time)
      days.set(day, text)
    }
    return text
  }

  const count = (row: EntityState, n: 1 | -1): void => {
    let tallies = byAudience.get(row.audience)
    if (tallies === undefined) {
      tallies = { benign: tally(), malicious: tally() }
      byAudience.set(row.audience, tallies)
    }
    const of = row.reputation < 0 ? tallies.malicious : tallies.benign
    countersOf(row, dayText(row.lastSeen), (dim, key) => {
      const map = of[dim]
      map.set(key, (map.get(key) ?? 0) + n)
    })
  }

  return {
    /** The row of one (entity, audience) as it was stored before the batch, and as it is after it. */
    replace(before: EntityState | undefined, after: EntityState): void {
      if (before !== undefined && !before.retracted) count(before, -1)
      if (!after.retracted) count(after, 1)
    },
    /** What changed, without the counters that stayed the same. */
    *deltas(): Generator<CountDelta> {
      for (const [audience, { benign, malicious }] of byAudience) {
        yield* nonZeroDeltas(audience, false, benign)
        yield* nonZeroDeltas(audience, true, malicious)
      }
    },
  }
}

function* nonZeroDeltas(audience: bigint, malicious: boolean, tallies: Tally): Generator<CountDelta> {
  for (const dim of Object.keys(tallies) as Dim[])
    for (const [key, n] of tallies[dim]) if (n !== 0) yield { audience, dim, malicious, key, n }
}
