/** Submissions -> observations on the log (specification 4.3, decisions 3.4-3.6). */

import type { EventLog } from '../../connectors/log/port.ts'
import type { Metrics } from '../../connectors/metrics/port.ts'
import type { Identity } from '../../schemas/accounts.ts'
import { PUBLIC, resolveVisibleBy } from '../../schemas/audience.ts'
import { expand } from '../../schemas/ingest/expand.ts'
import type { Observation, Provenance, SubmittedEntity } from '../../schemas/observation.ts'
import { OBSERVATIONS } from '../../schemas/topics.ts'
import { ApiError } from '../errors.ts'

/** How much a submitter's word weighs (decisions 4). */
const TRUST = 0.6
const TRUST_OF_TRUSTED = 0.9

export type IngestPorts = {
  log: Pick<EventLog, 'send'>
  /** An observation as it crosses the log. */
  encodeObservation: (observation: Observation) => Buffer
  metrics: Pick<Metrics['instruments'], 'harrier_ingest_observations_total'>
  now: () => number
  newId: () => string
}

export type Ingest = {
  /**
   * Appends what the entity says, expanded, in one send; resolves to the entity's id once all of it is durable. Throws
   * 400 for what cannot be taken, 403 for a foreign group, 500 (`publish_failed`) when the log cannot.
   */
  submit(user: Identity, entity: SubmittedEntity): Promise<string>
  /** The same for a well-known mark: public, and a sighting. */
  markWellKnown(user: Identity, entity: Pick<SubmittedEntity, 'type' | 'attributes'>): Promise<string>
}

export function ingestService(ports: IngestPorts): Ingest {
  const append = async (entity: SubmittedEntity, provenance: Provenance): Promise<string> => {
    const expanded = expand(entity, provenance, { submissionId: ports.newId(), nextId: ports.newId })
    if (!expanded.ok) throw new ApiError('invalid_parameter', { message: expanded.message, param: expanded.param })
    const messages = expanded.observations.map((observation) => ({
      key: observation.entityId,
      value: ports.encodeObservation(observation),
      timestamp: observation.observedAt,
    }))
    try {
      await ports.log.send([{ topic: OBSERVATIONS, messages }])
    } catch (cause) {
      throw new ApiError('publish_failed', {}, { cause })
    }
    ports.metrics.harrier_ingest_observations_total.inc({ kind: provenance.kind }, messages.length)
    return expanded.entityId
  }

  return {
    submit: async (user, entity) => append(entity, provenance(user, 'report', audienceOf(user, entity), ports.now())),
    markWellKnown: async (user, entity) => append(entity, provenance(user, 'well_known', [PUBLIC], ports.now())),
  }
}

function audienceOf(user: Identity, entity: SubmittedEntity): string[] {
  const visibleBy = resolveVisibleBy(entity.visibleBy, user.ownGroups)
  if (visibleBy.ok) return visibleBy.audience
  const { message, param } = visibleBy
  throw new ApiError(visibleBy.kind === 'foreign' ? 'forbidden' : 'invalid_parameter', { message, param })
}

/** The source is the customer, or the user without one, and never a key: keys are changed, sources are counted. */
const provenance = (user: Identity, kind: 'report' | 'well_known', audience: string[], now: number): Provenance => ({
  userId: user.userId,
  source: user.customerId ?? user.userId,
  sourceKind: user.customerId === null ? 'user' : 'customer',
  trust: user.roles.includes('trusted') ? TRUST_OF_TRUSTED : TRUST,
  kind,
  audience,
  observedAt: now,
})
