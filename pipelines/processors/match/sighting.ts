import { canonicalAudience, PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { namedUuid } from '../../../schemas/log/ids.ts'
import type { Match } from '../../../schemas/match/match.ts'

const DAY_MS = 86_400_000

/**
 * What an owner lets others know of a match: that its telemetry met the entity on that day (UTC), which is all of it (ADR
 * 218). Hosts, users, values, fields and times of the telemetry stay the owner's, so every match of an entity and day gives
 * the same record.
 * @param owner `customer:<UUID>` or `user:<UUID>`
 * @param groups those of the settings of the owner
 * @param rowAudiences of all rows of the entity of which something counts
 * @returns the record for those of the groups that read the entity already; null: none does
 */
export function sightingOf(
  { matchedAt, entity }: Pick<Match, 'matchedAt'> & { entity: Pick<Match['entity'], 'id' | 'type' | 'value'> },
  owner: string,
  groups: readonly string[],
  rowAudiences: readonly (readonly string[])[],
): Observation | null {
  const audience = canonicalAudience(readersAmong(groups, rowAudiences))
  if (audience.length === 0) return null
  const day = Math.floor(matchedAt / DAY_MS) * DAY_MS
  const at = owner.indexOf(':')
  const source = owner.slice(at + 1)
  const id = namedUuid(`match/${owner}/${entity.id}/${day}`)
  return {
    id,
    submissionId: id,
    entityId: entity.id,
    type: entity.type,
    value: entity.value,
    attributes: {},
    reputation: null,
    tags: [],
    links: [],
    audience,
    // No user made it.
    userId: source,
    source,
    sourceKind: owner.slice(0, at) === 'customer' ? 'customer' : 'user',
    trust: 0,
    kind: 'match',
    observedAt: day,
    covers: false,
    retracted: null,
    verdict: null,
    covered: false,
  }
}

/** Every group reads what is public; `public` itself reads nothing else. */
function readersAmong(groups: readonly string[], rowAudiences: readonly (readonly string[])[]): string[] {
  const read = new Set(rowAudiences.flat())
  return read.has(PUBLIC) ? [...groups] : groups.filter((group) => read.has(group))
}
