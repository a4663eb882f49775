import { isStoredForm } from '../../../schemas/intelligence/entities/earlier-forms.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { normalise } from '../../../schemas/intelligence/entities/normalise.ts'
import { observedAtFault } from '../../../schemas/intelligence/ingest/observed-at.ts'
import { MAX_TAGS, normaliseTags } from '../../../schemas/intelligence/ingest/tags.ts'
import { canonicalAudience, PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation, Undescribed } from '../../../schemas/intelligence/observations/observation.ts'
import { relationshipFault } from '../../../schemas/intelligence/observations/relationship.ts'
import { MAX_REASON, MAX_VERDICT_MS } from '../../../schemas/intelligence/observations/verdict.ts'
import { canCover } from '../../../schemas/intelligence/propagation/coverage.ts'

/** How far the clocks of processes may differ. */
const CLOCKS_MS = 60 * 1000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ENTITY_ID = /^[a-z0-9-]+-[0-9a-f]{64}$/
const APPLIED = new Set([
  'report',
  'well_known',
  'covered',
  'tick',
  'retraction',
  'unmark',
  'uncovered',
  'verdict',
  'rescored',
  'match',
])
/** Kinds of records that state nothing but their entity, and have no audience. */
const OF_SYSTEM = new Set(['covered', 'tick', 'unmark', 'uncovered', 'rescored'])

type EntityName = Pick<Observation, 'entityId' | 'type' | 'value'>

/**
 * Why an observation cannot be used, or null. The API and the importer only write good ones, but the topic is open to
 * broker producers (design 4). `loggedAt`: timestamp of its log record, unix milliseconds, so that a replay judges as
 * the first reading did. `known`: an entity that passed before; the same one need not be looked at again.
 */
export function faultOf(o: Observation, loggedAt: number, known?: EntityName): string | null {
  if (!APPLIED.has(o.kind)) return `kind ${o.kind} is not supported by this version`
  const same = known?.entityId === o.entityId && known.type === o.type && known.value === o.value
  const misnamed = same ? null : nameFault(o)
  if (misnamed !== null) return misnamed
  for (const name of Object.keys(o.attributes)) {
    if (name === o.type) return `attribute ${name} is the main value and belongs in value`
    const value = normalise(name, o.attributes[name]!)
    if (value !== o.attributes[name] && !isStoredForm(name, o.attributes[name]!))
      return `attribute ${name} ${typeof value === 'string' ? 'is not in its normal form' : value.reason}`
  }
  if (o.reputation !== null && (o.reputation < -3 || o.reputation > 3)) return 'reputation is outside -3..3'
  if (!(o.trust > 0 && o.trust <= 1) && o.kind !== 'match') return 'trust is outside 0..1'
  if (o.source === '') return 'source is empty'
  if (!UUID.test(o.id) || !UUID.test(o.submissionId)) return 'id or submissionId is not a UUID'
  const untimely = observedAtFault(o.observedAt, loggedAt)
  if (untimely !== null) return untimely.message
  if (!o.links.every((link) => ENTITY_ID.test(link.entityId))) return 'a link has no entity id'
  const unrelated = o.links.find(
    ({ relationship }) => relationship !== null && relationshipFault(relationship) !== null,
  )
  if (unrelated !== undefined) return `the relationship of a link ${relationshipFault(unrelated.relationship!)}`
  if ((o.retracted !== null) !== (o.kind === 'retraction'))
    return 'retracted is required in retractions and not allowed in other records'
  if ((o.verdict !== null) !== (o.kind === 'verdict'))
    return 'verdict is required in verdicts and not allowed in other records'
  if (o.kind === 'verdict') return verdictFault(o) ?? audienceFault(o.audience)
  if (o.kind === 'match') return matchFault(o, loggedAt) ?? audienceFault(o.audience)
  if (OF_SYSTEM.has(o.kind)) return systemRecordFault(o, loggedAt)
  if (o.kind === 'retraction') return retractionFault(o) ?? audienceFault(o.audience)
  if (o.covers && (o.kind !== 'well_known' || !canCover(o.type) || o.audience[0] !== PUBLIC))
    return 'covers is only allowed in public well-known marks of cidr and domain'
  return tagsFault(o.tags) ?? audienceFault(o.audience)
}

function nameFault(o: EntityName): string | null {
  const main = normalise(o.type, o.value)
  if (main !== o.value && !isStoredForm(o.type, o.value))
    return typeof main === 'string' ? 'value is not in its normal form' : `value ${main.reason}`
  return entityId(o.type, o.value) === o.entityId ? null : 'entityId does not match type and value'
}

/**
 * A record that says an entity is covered or no more, not marked any more, what time it is, or that the scoring rules are
 * others, states nothing else, and is of no audience: a version that
 * does not know the kind refuses an empty one, where it would take a public record for a sighting and show a private
 * entity to everybody. A tick of tomorrow would let everything fade today.
 */
function systemRecordFault(o: Observation, loggedAt: number): string | null {
  if (o.reputation !== null || statesMore(o)) return `a ${o.kind} record must contain only its entity`
  if (o.audience.length > 0) return `a ${o.kind} record must not have an audience`
  return o.kind !== 'covered' && o.observedAt > loggedAt + CLOCKS_MS ? `a ${o.kind} is in the future` : null
}

/** What a retraction restores was held before the window: otherwise a second retraction would remove it as well. */
function retractionFault(o: Observation): string | null {
  const { from, to, held, described } = o.retracted!
  if (statesMore(o)) return 'a retraction must contain only what was held before'
  if (!(from > 0 && from <= to && to <= o.observedAt))
    return 'the window of a retraction must end before the retraction'
  const misdescribed = described === null ? null : undescribedFault(described)
  if (misdescribed !== null) return misdescribed
  if (held === null) return o.reputation === null ? null : 'a retraction restores a claim that was never held'
  if ((o.reputation === null) !== (held.claimedAt === 0))
    return 'the restored reputation and its time must be given together'
  const past = held.claimedAt >= 0 && held.claimedAt <= held.at && held.at > 0 && held.at < from
  return past ? null : 'a restored claim must be older than the window'
}

/** A verdict for everybody would decide what no customer may. */
function verdictFault({ reputation, observedAt, audience, verdict, ...o }: Observation): string | null {
  const { reason, until } = verdict!
  if (statesMore(o)) return 'a verdict must contain only what is decided'
  if (audience.includes(PUBLIC)) return 'a verdict must not be public'
  if (reputation !== null && reputation !== 3 && reputation !== -3) return 'a verdict has the reputation 3 or -3'
  if (reason.length > MAX_REASON) return `the reason of a verdict is longer than ${MAX_REASON} characters`
  if (until === 0) return null
  return until > observedAt && until <= observedAt + MAX_VERDICT_MS ? null : 'until of a verdict is out of bounds'
}

/**
 * A match says that somebody met the entity, and weighs nothing: with another weight, a version that does not know the kind
 * would take it for a sighting by a source.
 */
function matchFault(o: Observation, loggedAt: number): string | null {
  if (o.reputation !== null || statesMore(o)) return 'a match must contain only its entity'
  if (o.trust !== 0) return 'a match has the trust 0'
  if (o.sourceKind !== 'customer' && o.sourceKind !== 'user') return 'a match is of a customer or a user'
  return o.observedAt > loggedAt + CLOCKS_MS ? 'a match is in the future' : null
}

/** Most tags, and most attributes, that a record takes from a row, which has no more of them. */
const MAX_TAKEN = 1_000

function undescribedFault({ version, tags, attributes }: Undescribed): string | null {
  const names = Object.keys(attributes)
  if (!(version > 0)) return 'a retraction must name the version of the row that it describes'
  if (tags.length > MAX_TAKEN || names.length > MAX_TAKEN) return 'a retraction takes too many tags or attributes'
  for (const name of names) {
    const again = attributes[name]!
    if (again === null) continue
    if (!isStoredForm(name, again.value)) return `restored attribute ${name} is not in its normal form`
    if (!(again.at > 0)) return `restored attribute ${name} has no time`
  }
  return null
}

const statesMore = (o: Pick<Observation, 'covers' | 'tags' | 'links' | 'attributes'>): boolean =>
  o.covers || o.tags.length > 0 || o.links.length > 0 || Object.keys(o.attributes).length > 0

/**
 * Why an observation stands where it cannot be applied, or null. Versions of an entity are offsets of one partition: in
 * another one it would be taken for old and dropped, or be applied by two jobs at once.
 */
export function placeFault(o: Observation, key: Buffer | null, partition: number, home: number): string | null {
  if (key === null || !isText(key, o.entityId)) return 'the key of the record differs from entityId'
  return partition === home ? null : `the key belongs to partition ${home}, not ${partition}`
}

/** Whether the bytes are this text, each its character: without a text made of them for every record. */
function isText(bytes: Buffer, text: string): boolean {
  if (bytes.length !== text.length) return false
  for (let i = 0; i < text.length; i++) if (bytes[i] !== text.charCodeAt(i)) return false
  return true
}

/** A tag that is there twice, or in two spellings, would be counted twice. */
function tagsFault(tags: readonly string[]): string | null {
  if (tags.length === 0 || areUsual(tags)) return null
  const normal = normaliseTags(tags)
  if (!normal.ok) return normal.message
  const same = normal.tags.length === tags.length && normal.tags.every((tag, i) => tag === tags[i])
  if (!same) return 'tags are not a sorted set in normal form'
  if (usual.size + tags.length > USUAL) usual.clear()
  for (const tag of tags) usual.add(tag)
  return null
}

/** Tags that passed, each of 256 bytes at most (ingest/tags.ts). */
const usual = new Set<string>()
const USUAL = 10_000

/** Whether all of them passed before, and stand in order, each once: then they pass. */
function areUsual(tags: readonly string[]): boolean {
  if (tags.length > MAX_TAGS) return false
  for (let i = 0; i < tags.length; i++) if (!usual.has(tags[i]!) || (i > 0 && tags[i - 1]! >= tags[i]!)) return false
  return true
}

function audienceFault(audience: readonly string[]): string | null {
  if (audience.length === 0) return 'audience is empty'
  if (audience.length === 1 && audience[0] !== '') return null
  const canonical = canonicalAudience(audience)
  const same = canonical.length === audience.length && canonical.every((g, i) => g === audience[i])
  return same && canonical[0] !== '' ? null : 'audience is not a sorted set of groups'
}
