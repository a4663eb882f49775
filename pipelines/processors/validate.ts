import { canonicalAudience } from '../../schemas/audience.ts'
import { entityId } from '../../schemas/entities/id.ts'
import { normalise } from '../../schemas/entities/normalise.ts'
import type { Observation } from '../../schemas/observation.ts'

/** Observations from before are a producer's broken clock. */
const EARLIEST = Date.UTC(2000, 0, 1)
/** How far a producer's clock may run ahead of the log's. */
const AHEAD_MS = 24 * 60 * 60 * 1000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
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
    const value = normalise(name, o.attributes[name]!)
    if (typeof value !== 'string') return `attribute ${name} ${value.reason}`
    if (value !== o.attributes[name]) return `attribute ${name} is not in its normal form`
  }
  if (o.reputation !== null && (o.reputation < -3 || o.reputation > 3)) return 'reputation is outside -3..3'
  if (!(o.trust > 0 && o.trust <= 1)) return 'trust is outside 0..1'
  if (o.source === '') return 'source is empty'
  if (!UUID.test(o.id) || !UUID.test(o.submissionId)) return 'id or submissionId is not a UUID'
  if (!(o.observedAt >= EARLIEST && o.observedAt <= loggedAt + AHEAD_MS)) return 'observedAt is out of range'
  return audienceFault(o.audience)
}

function audienceFault(audience: readonly string[]): string | null {
  if (audience.length === 0) return 'audience is empty'
  if (audience.length === 1 && audience[0] !== '') return null
  const canonical = canonicalAudience(audience)
  const same = canonical.length === audience.length && canonical.every((g, i) => g === audience[i])
  return same && canonical[0] !== '' ? null : 'audience is not a sorted set of groups'
}
