import { setImmediate as others } from 'node:timers/promises'
import { countsAt } from '../../../connectors/feeds/parse/counts-at.ts'
import { isObject, type Json, textOf } from '../../../connectors/feeds/parse/document.ts'
import type { AcceptedItem, FeedItem } from '../../../connectors/feeds/parse/item.ts'
import { isRestricted, type Marking, shownMarking } from '../../../connectors/feeds/parse/marking.ts'
import { readStix } from '../../../connectors/feeds/parse/stix/bundle.ts'
import { addLost, type Lost } from '../../../connectors/feeds/parse/stix/lost.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { InboxStatus } from '../../../schemas/feeds-out/collections/inbox-status.ts'
import { canonicalAudience, PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import type { Provenance, SubmittedEntity } from '../../../schemas/intelligence/observations/observation.ts'
import { ApiError } from '../../http/errors.ts'
import { audienceOf, provenance } from '../../intelligence/services/report/submitter.ts'

/**
 * Who may read what an object says: the default audience of whoever posts it, without everybody where its marking is above
 * GREEN (decisions 15.2). null: nobody is left. Throws 403 when the poster has no default audience: an envelope names none.
 */
function audiences(user: Identity): (marking: Marking | undefined) => string[] | null {
  if (user.ownGroups.length === 0)
    throw new ApiError('forbidden', { message: 'the caller belongs to no group that could read the report' })
  const usual = audienceOf(user, undefined)
  const own = user.ownGroups.filter((group) => group !== PUBLIC)
  const narrowed = usual.includes(PUBLIC) ? (own.length === 0 ? null : canonicalAudience(own)) : usual
  return (marking) => (isRestricted(marking) ? narrowed : usual)
}

/** As `feed import --format stix` takes them: what calls itself malicious is a claim of this. */
const OPTIONS = { reputation: -3, tags: [] }

const ID = /^[a-z0-9][a-z0-9-]*--[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Objects and items that are looked at before others have a turn. */
const AT_ONCE = 1_000

/** An entity that is to be reported, and who says it, to whom and of when. `id` of the object; undefined: of several. */
export type ReadEntity = {
  id: string | undefined
  /** Counts up. Items of one id that follow each other are one statement, as an import takes them. */
  run: number
  version: string
  entity: SubmittedEntity
  from: Provenance
  validUntil: number
}

/** An object that its producer takes back. */
export type ReadWithdrawal = { id: string; version: string }

export type Failure = InboxStatus['failures'][number]

/** What an envelope says. Objects that are refused are named, and so is what is not kept. */
export type ReadEnvelope = {
  entities: ReadEntity[]
  withdrawn: ReadWithdrawal[]
  failures: Map<string, Failure>
  lost: InboxStatus['lost']
}

/** Objects of STIX, and failures of what is none. */
async function splitObjects(given: readonly unknown[]): Promise<{ objects: Json[]; failures: Map<string, Failure> }> {
  const failures = new Map<string, Failure>()
  const objects: Json[] = []
  for (const [at, one] of given.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await others()
    const id = isObject(one) ? textOf(one.id) : ''
    const type = isObject(one) ? textOf(one.type) : ''
    if (isObject(one) && ID.test(id) && id.startsWith(`${type}--`)) objects.push(one)
    else
      failures.set(`${at}`, { id: id.slice(0, 300), message: 'not a STIX object with a type and an id of that type' })
  }
  return { objects, failures }
}

/**
 * Reads an envelope, with turns for others in between. Throws 403 for a poster whose reports nobody could read.
 * @param now unix milliseconds
 */
export async function readObjects(user: Identity, given: readonly unknown[], now: number): Promise<ReadEnvelope> {
  const audienceOf = audiences(user)
  const { objects, failures } = await splitObjects(given)
  const { items, lost } = readStix({ type: 'bundle', objects }, OPTIONS)
  const usual = provenance(user, 'report', [], now)
  const read: ReadEnvelope = { entities: [], withdrawn: [], failures, lost }
  let seen = 0
  let run = 0
  let last: string | undefined
  const parts: Lost[] = []
  for (const item of items) {
    if (++seen % AT_ONCE === 0) await others()
    const id = 'withdrawn' in item ? item.withdrawn.id : item.object?.id
    if (id === undefined || id !== last) run++
    last = id
    if ('withdrawn' in item) read.withdrawn.push(item.withdrawn)
    else if ('rejected' in item && item.part !== undefined) parts.push({ ...item.part, n: 1 })
    else if ('rejected' in item) fail(read, item)
    else {
      const audience = audienceOf(item.marking)
      if (audience !== null) read.entities.push({ ...entityOf(item, { ...usual, audience }, now), run })
      else {
        const message = `restricted (${shownMarking(item.marking!)}): the caller belongs to no group other than public`
        failures.set(id || `line ${item.line}`, { id: id ?? '', message })
      }
    }
  }
  return parts.length === 0 ? read : { ...read, lost: addLost([lost, parts]) }
}

function entityOf(item: AcceptedItem, from: Provenance, now: number): Omit<ReadEntity, 'run'> {
  const { weight, isClaim, at } = countsAt(item, now)
  const { validUntil = 0, object } = item
  return {
    id: object?.id,
    version: object?.version ?? '',
    entity: isClaim ? item.entity : { ...item.entity, reputation: null },
    from: { ...from, trust: from.trust * weight, observedAt: at },
    validUntil: validUntil > now ? validUntil : 0,
  }
}

/** What is refused begins with the id of its object, where it has one. */
function fail({ failures }: ReadEnvelope, item: Extract<FeedItem, { rejected: string }>): void {
  const [word = ''] = item.raw.split(' ')
  const id = item.object?.id ?? (ID.test(word) ? word : '')
  const version = item.object?.version
  const failure: Failure = { id, message: item.rejected }
  if (version !== undefined && version !== '') failure.version = version
  failures.set(id || `line ${item.line}`, failure)
}
