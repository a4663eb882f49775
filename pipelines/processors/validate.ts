import { canonicalAudience } from '../../schemas/audience.ts'
import { entityId } from '../../schemas/entities/id.ts'
import { normalise } from '../../schemas/entities/normalise.ts'
import { normaliseTags } from '../../schemas/ingest/tags.ts'
import type { Observation } from '../../schemas/observation.ts'

/** Observations from before are a producer's broken clock. */
const EARLIEST = Date.UTC(2000, 0, 1)
/** How far a producer's clock may run ahead of the log's. */
const AHEAD_MS = 24 * 60 * 60 * 1000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ENTITY_ID = /^[a-z0-9-]+-[0-9a-f]{64}$/
const APPLIED = new Set(['report', 'well_known'])

/**
 * Why an observation cannot be used, or null. The API and the importer only write good ones, but the topic is open to
 * broker producers (design 4). `loggedAt`: timestamp of its log record, unix milliseconds, so that a replay judges as
 * the first reading did.
 */
export function faultOf(o: Observation, loggedAt: number): string | null {
  if (!APPLIED.has(o.kind)) return `kind ${o.kind} is not applied by this version`
  const main = normalise(o.type, o.value)
  if (typeof main !== 'string') return `value ${main.reason}`
  if (main !== o.value) return 'value is not in its normal form'
  if (entityId(o.type, o.value) !== o.entityId) return 'entityId is not that of type and value'
  for (const name in o.attributes) {
    if (name === o.type) return `attribute ${name} is the main value and stands in value`
    const value = normalise(name, o.attributes[name]!)
    if (typeof value !== 'string') return `attribute ${name} ${value.reason}`
    if (value !== o.attributes[name]) return `attribute ${name} is not in its normal form`
  }
  if (o.reputation !== null && (o.reputation < -3 || o.reputation > 3)) return 'reputation is outside -3..3'
  if (!(o.trust > 0 && o.trust <= 1)) return 'trust is outside 0..1'
  if (o.source === '') return 'source is empty'
  if (!UUID.test(o.id) || !UUID.test(o.submissionId)) return 'id or submissionId is not a UUID'
  if (!(o.observedAt >= EARLIEST && o.observedAt <= loggedAt + AHEAD_MS)) return 'observedAt is out of range'
  if (!o.links.every((link) => ENTITY_ID.test(link.entityId))) return 'a link names no entity id'
  return tagsFault(o.tags) ?? audienceFault(o.audience)
}

/**
 * Why an observation stands where it cannot be applied, or null. Versions of an entity are offsets of one partition: in
 * another one it would be taken for old and dropped, or be applied by two jobs at once.
 */
export function placeFault(o: Observation, key: Buffer | null, partition: number, home: number): string | null {
  if (key?.toString('latin1') !== o.entityId) return 'the key of the record is not the entityId'
  return partition === home ? null : `the key belongs to partition ${home}, not ${partition}`
}

/** A tag that is there twice, or in two spellings, would be counted twice. */
function tagsFault(tags: readonly string[]): string | null {
  if (tags.length === 0) return null
  const normal = normaliseTags(tags)
  if (!normal.ok) return normal.message
  const same = normal.tags.length === tags.length && normal.tags.every((tag, i) => tag === tags[i])
  return same ? null : 'tags are not a sorted set in normal form'
}

function audienceFault(audience: readonly string[]): string | null {
  if (audience.length === 0) return 'audience is empty'
  if (audience.length === 1 && audience[0] !== '') return null
  const canonical = canonicalAudience(audience)
  const same = canonical.length === audience.length && canonical.every((g, i) => g === audience[i])
  return same && canonical[0] !== '' ? null : 'audience is not a sorted set of groups'
}
