/** Entities of which each write changes all, so that half a write shows. */

import type { Environment } from '../../../connectors/lookups/index/environment.ts'
import { digestOf, keyInto, newKey } from '../../../connectors/lookups/index/index-key.ts'
import type { IndexedEntity, PresentRow } from '../../../schemas/intelligence/state/present.ts'
import { readEntry } from '../../../schemas/intelligence/state/rows/read-entry.ts'
import { entityRow } from '../../builders/intelligence/entity-row.ts'

export const ROOM = 64 * 1024 * 1024
const VALUES = Array.from({ length: 60 }, (_, i) => `value-${i}`)

/** What the n-th write makes of them. */
export const entitiesOf = (n: number): IndexedEntity[] =>
  VALUES.map((value) => ({
    type: 'ip',
    value,
    wide: false,
    rows: [entityRow({ tags: [String(n), 'x'.repeat(n % 50)] })],
  }))

/** Which write an index is of, or what shows that it is of none. */
export function seen(env: Environment): string {
  const n = env.state()!.position
  for (const value of VALUES) {
    const rows: PresentRow[] = []
    const digest = digestOf(value)
    const entry = env.entries.getBinaryFast(keyInto(newKey(), digest))
    if (entry !== undefined) readEntry(entry, { value, digest, whole: true }, () => true, rows)
    const [tag, padding] = rows[0]?.tags ?? []
    if (tag !== String(n) || padding?.length !== n % 50) return `of ${n}, ${value} is ${tag}`
  }
  return String(n)
}
