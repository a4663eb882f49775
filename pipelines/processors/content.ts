import { hash } from 'node:crypto'
import type { Observation } from '../../schemas/observation.ts'

/**
 * What makes two observations of one source say the same: attributes, reputation, tags and whether it is a mark
 * (decisions 4, duplicates). 64 bits of SHA-1: a collision within one source, entity and window hides one record.
 */
export function contentHash(o: Observation): bigint {
  const names = Object.keys(o.attributes)
  if (names.length > 1) names.sort()
  const said = [o.kind, o.reputation, o.tags, names.map((n) => [n, o.attributes[n]])]
  return hash('sha1', JSON.stringify(said), 'buffer').readBigUInt64BE(0)
}
