import { hash } from 'node:crypto'

/** Who may read an observation: a set of groups (decisions 2.3, 2.4). */

export const PUBLIC = 'public'

/** Bounds of a submitted list of groups. */
export const MAX_GROUPS = 100
export const MAX_GROUP_LENGTH = 256

/** Distinct and sorted; a set with `public` in it means `public` alone. */
export const canonicalAudience = (groups: Iterable<string>): string[] => {
  const distinct = new Set(groups)
  return distinct.has(PUBLIC) ? [PUBLIC] : [...distinct].sort()
}

const CACHED = 10_000
const ids = new Map<string, bigint>()
const singles = new Map<string, bigint>()

/** The 64-bit id of a set of groups: first 8 bytes, big-endian, of SHA-256 over the JSON of the canonical set. */
export function audienceId(groups: Iterable<string>): bigint {
  // Nearly every record is of one group.
  if (!Array.isArray(groups) || groups.length !== 1) return idOf(groups)
  const known = singles.get(groups[0])
  if (known !== undefined) return known
  const id = idOf(groups)
  if (singles.size >= CACHED) singles.clear()
  singles.set(groups[0], id)
  return id
}

function idOf(groups: Iterable<string>): bigint {
  const key = JSON.stringify(canonicalAudience(groups))
  const known = ids.get(key)
  if (known !== undefined) return known
  const id = hash('sha256', key, 'buffer').readBigUInt64BE(0)
  // Audiences are few; a flood of made-up ones may empty the cache but not fill the memory.
  if (ids.size >= CACHED) ids.clear()
  ids.set(key, id)
  return id
}

/** The id of the audience that everybody is in. */
export const PUBLIC_AUDIENCE = audienceId([PUBLIC])

export type VisibleBy =
  | { ok: true; audience: string[] }
  /** `invalid`: the list itself is wrong (400). `foreign`: it names a group the submitter is not in (403). */
  | { ok: false; kind: 'invalid' | 'foreign'; param: string; message: string }

const refusal = (kind: 'invalid' | 'foreign', param: string, message: string): VisibleBy => ({
  ok: false,
  kind,
  param,
  message,
})

/**
 * The audience of a submission (decisions 2.3). `submitterGroups` are the groups that the submitter was assigned and
 * those of its memberships: without the `public` that everyone reads, unless it was assigned, or everything that
 * names no groups would be published. `defaults` are those of them that are meant where none are named.
 */
export function resolveVisibleBy(
  requested: readonly string[] | null | undefined,
  submitterGroups: readonly string[],
  defaults: readonly string[] = submitterGroups,
): VisibleBy {
  const groups = requested ?? defaults
  if (groups.length === 0) {
    const why = requested ? 'must name at least one group' : 'is required, because the submitter is in no group'
    return refusal('invalid', 'visibleBy', `visibleBy ${why}`)
  }
  if (requested === null || requested === undefined) return { ok: true, audience: canonicalAudience(groups) }
  if (groups.length > MAX_GROUPS)
    return refusal('invalid', 'visibleBy', `visibleBy must name at most ${MAX_GROUPS} groups`)
  for (const [i, group] of groups.entries()) {
    const param = `visibleBy[${i}]`
    if (group.trim() === '' || group.length > MAX_GROUP_LENGTH)
      return refusal('invalid', param, `${param} must be a group name of 1 to ${MAX_GROUP_LENGTH} characters`)
    if (group !== PUBLIC && !submitterGroups.includes(group))
      return refusal('foreign', param, `${param} is not a group of the submitter`)
  }
  return { ok: true, audience: canonicalAudience(groups) }
}
