import { hash } from 'node:crypto'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'

/** A feed repeats the same statement thousands of times: at most 10 MB of recent hashes are kept. */
const CACHED = 10_000
const CACHED_LENGTH = 500
const hashes = new Map<string, bigint>()

/**
 * What makes two observations of one source say the same: attributes, reputation, tags and whether it is a mark,
 * covering or not (decisions 4, duplicates). 64 bits of SHA-1: a collision within one source, entity and window hides one record.
 */
export function contentHash(o: Observation): bigint {
  const names = Object.keys(o.attributes)
  if (names.length > 0) return hashOf(o, names)
  if (latest === undefined || !saysAs(o, latest.o)) latest = { o, hash: hashOf(o, names) }
  return latest.hash
}

/** The last one without attributes: most of a feed say what the one before them said. */
let latest: { o: Observation; hash: bigint } | undefined

function saysAs(a: Observation, b: Observation): boolean {
  if (a.kind !== b.kind || a.reputation !== b.reputation || a.covers !== b.covers) return false
  if (a.tags.length !== b.tags.length) return false
  for (let i = 0; i < a.tags.length; i++) if (a.tags[i] !== b.tags[i]) return false
  return true
}

function hashOf(o: Observation, names: string[]): bigint {
  if (names.length > 1) names.sort()
  const key = keyOf(o, names)
  const known = hashes.get(key)
  if (known !== undefined) return known
  const content: unknown[] = [o.kind, o.reputation, o.tags, names.map((n) => [n, o.attributes[n]])]
  // Only where it is said, so that the contents of before keep their hashes.
  if (o.covers) content.push('covers')
  const made = hash('sha1', JSON.stringify(content), 'buffer').readBigUInt64BE(0)
  if (hashes.size >= CACHED) hashes.clear()
  if (key.length <= CACHED_LENGTH) hashes.set(key, made)
  return made
}

/** Different for different contents, since lengths say where a text ends; made in a fraction of the time of JSON. */
function keyOf({ kind, reputation, covers, tags, attributes }: Observation, names: readonly string[]): string {
  let key = `${kind} ${reputation} ${covers} ${tags.length}`
  for (const tag of tags) key += ` ${tag.length} ${tag}`
  for (const name of names) {
    const value = attributes[name]!
    key += ` ${name.length} ${name} ${value.length} ${value}`
  }
  return key
}
