/** Envelopes of STIX objects, as reports of whoever posts them (decisions 15.2). */

import { setImmediate as others } from 'node:timers/promises'
import type { StatedObjects } from '../../../connectors/operations/stated-objects/port.ts'
import type { InboxStatuses } from '../../../connectors/postgres/intelligence/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { type InboxStatus, MOST_NAMED } from '../../../schemas/feeds-out/collections/inbox-status.ts'
import { expand } from '../../../schemas/intelligence/ingest/expand.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import {
  rememberedId,
  restated,
  type StatedObject,
  withdrawn,
} from '../../../schemas/intelligence/observations/stated-object.ts'
import { ApiError } from '../../http/errors.ts'
import { fairQueue } from '../../intelligence/services/fair-queue.ts'
import { type PublishPorts, publisher } from '../../intelligence/services/report/publish-reports.ts'
import { submitterOf } from '../../intelligence/services/report/submitter.ts'
import { type ReadEntity, type ReadEnvelope, type ReadWithdrawal, readObjects } from './read-objects.ts'

/** What a published object claims of one entity; null: it claims nothing, and what it claimed before holds no more. */
type Stated = {
  id: string
  /** Of an object: what follows each other has the same. */
  run: number
  version: string
  claim: { entityId: string; audience: readonly string[]; until: number } | null
}

/** Objects of a source by `rememberedId`, as they were known before. */
type KnownObjects = ReadonlyMap<string, StatedObject>

/** Whether a later version of the object is known. */
const isOlder = (known: KnownObjects, { id, version }: ReadWithdrawal): boolean =>
  version < (known.get(rememberedId(id))?.version ?? '')

/**
 * What is to be known of objects of a source from now on, so that a later version, or one that revokes it, takes back what
 * this one claims (decisions 15.3). None of them is older than what is known. Of objects of one id each takes the place
 * of the one before it, and those that follow each other are one.
 * @param at unix milliseconds
 */
function remembered(
  known: KnownObjects,
  source: string,
  { stated, back, at }: { stated: readonly Stated[]; back: readonly ReadWithdrawal[]; at: number },
): StatedObject[] {
  const taken = back.map(({ id, version }) => withdrawn(known.get(rememberedId(id)), { source, id, version }))
  const said = new Map<string, StatedObject>()
  for (const those of Map.groupBy(stated, ({ run }) => run).values()) {
    const { id, version } = those[0]!
    const claims = those.flatMap(({ claim }) =>
      claim === null ? [] : [{ ...claim, audience: audienceId(claim.audience) }],
    )
    const before = said.get(id) ?? known.get(rememberedId(id))
    const object = restated(before, { source, id, version, at, claims })
    if (object !== null) said.set(id, object)
  }
  return [...said.values(), ...taken.filter((object) => object !== null)]
}

export type InboxPorts = PublishPorts & {
  statuses: InboxStatuses
  objects: Pick<StatedObjects, 'find' | 'put'>
  now: () => number
  newId: () => string
}

/** Entities of one send, and what more the last object of them has. */
const AT_ONCE = 2_000
/** Envelopes at once in this process, of one source one after the other; and how many more of them may wait. */
const TURNS = { atOnce: 8, atOnceOfOne: 1, waitMs: 60_000, waiting: 32, waitingOfOne: 8 }
/** Nobody who waits gives up. */
const NEVER = new AbortController().signal
/** Longest message and id that are kept, in characters. */
const MAX_MESSAGE = 500
const MAX_ID = 300

export function inboxService(ports: InboxPorts) {
  const { statuses, objects, now, newId } = ports
  const publish = publisher(ports)
  const turn = fairQueue(TURNS)

  /** What of these entities can be reported; those that cannot are failures of their objects. */
  function expanded(entities: readonly ReadEntity[], { failures }: ReadEnvelope) {
    const ids = { submissionId: newId(), nextId: newId }
    const observations: Observation[] = []
    const stated: Stated[] = []
    for (const { id, run, version, entity, from, validUntil } of entities) {
      const made = expand(entity, from, ids)
      if (!made.ok) {
        failures.set(id ?? made.message, { id: id ?? '', message: made.message })
        continue
      }
      observations.push(...made.observations)
      if (id === undefined) continue
      const claims = entity.reputation !== null && entity.reputation !== undefined
      const claim = claims ? { entityId: made.entityId, audience: from.audience, until: validUntil } : null
      stated.push({ id, run, version, claim })
    }
    return { observations, stated }
  }

  async function take(user: Identity, source: string, given: readonly unknown[]): Promise<InboxStatus> {
    const at = now()
    const read = await readObjects(user, given, at)
    const named = read.entities.flatMap(({ id, version }) => (id === undefined ? [] : [{ id, version }]))
    const known = await objects.find(source, new Set([...named, ...read.withdrawn].map(({ id }) => id)))
    for (const one of [...named, ...read.withdrawn])
      if (isOlder(known, one)) read.failures.set(one.id, { ...one, message: 'a later version of it is known' })
    const isNew = (id: string | undefined): boolean => id === undefined || !read.failures.has(id)
    const entities = read.entities.filter(({ id }) => isNew(id))
    for (const part of partsOf(entities)) {
      const { observations, stated } = expanded(part, read)
      // Before it is claimed: what is on the log can be taken back, whatever fails in between.
      const objectsNow = remembered(known, source, { stated, back: [], at })
      await objects.put(objectsNow)
      for (const object of objectsNow) known.set(object.id, object)
      if (observations.length > 0) await publish(observations, 'report')
      await others()
    }
    const back = read.withdrawn.filter(({ id }) => isNew(id))
    await objects.put(remembered(known, source, { stated: [], back, at }))
    const status = statusOf(newId(), at, given.length, read)
    await statuses.put(user.userId, status, at)
    return status
  }

  return {
    /**
     * Reports what the objects say; resolves once all of it is durable. An object that cannot be read refuses itself alone.
     * Throws 500 (`publish_failed`) when the log does not take it: a part of it may be there, and the same again adds
     * nothing to what is known. Throws 503 (`busy`) when too many envelopes wait. Those of one source wait for each other,
     * or what one claims would be forgotten when another one is taken meanwhile.
     */
    post(user: Identity, given: readonly unknown[]): Promise<InboxStatus> {
      const { source } = submitterOf(user)
      return turn.use(() => take(user, source, given), source, NEVER)
    },

    /** Throws 404 for one that is not the caller's, or not kept any more. */
    async status(user: Identity, id: string): Promise<InboxStatus> {
      const found = await statuses.find(user.userId, id, now())
      if (found === null) throw new ApiError('not_found', { message: 'no such status' })
      return found
    },
  }
}

export type InboxService = ReturnType<typeof inboxService>

/** Some at a time; those of one run stand together, and stay so. */
function* partsOf(entities: readonly ReadEntity[]): Generator<readonly ReadEntity[]> {
  for (let from = 0, to = 0; from < entities.length; from = to) {
    to = Math.min(from + AT_ONCE, entities.length)
    while (to < entities.length && entities[to]!.run === entities[to - 1]!.run) to++
    yield entities.slice(from, to)
  }
}

function statusOf(id: string, requestedAt: number, total: number, { failures, lost }: ReadEnvelope): InboxStatus {
  const all = [...failures.values()].slice(0, total)
  return {
    id,
    requestedAt,
    total,
    failed: all.length,
    failures: all
      .slice(0, MOST_NAMED)
      .map(({ id, message, ...one }) => ({ id: id.slice(0, MAX_ID), ...one, message: message.slice(0, MAX_MESSAGE) })),
    lost: lost.slice(0, MOST_NAMED),
  }
}
