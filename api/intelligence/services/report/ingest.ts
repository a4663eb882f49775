/** Submissions -> observations on the log (specification 4.3, decisions 3.4, 3.5, 3.6). */

import { aboutFound } from '../../../../connectors/postgres/core/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { expand } from '../../../../schemas/intelligence/ingest/expand.ts'
import { PUBLIC } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Provenance, SubmittedEntity } from '../../../../schemas/intelligence/observations/observation.ts'
import { ApiError } from '../../../http/errors.ts'
import { type PublishPorts, publisher } from './publish-reports.ts'
import { audienceOf, provenance } from './submitter.ts'

export type IngestPorts = PublishPorts & {
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
  markWellKnown(user: Identity, entity: Pick<SubmittedEntity, 'type' | 'attributes' | 'covers'>): Promise<string>
}

export function ingestService(ports: IngestPorts): Ingest {
  const publish = publisher(ports)
  const append = async (entity: SubmittedEntity, from: Provenance): Promise<string> => {
    const expanded = expand(entity, from, { submissionId: ports.newId(), nextId: ports.newId })
    if (!expanded.ok) throw new ApiError('invalid_parameter', { message: expanded.message, param: expanded.param })
    if (from.kind === 'well_known') aboutFound({ subject: expanded.entityId })
    await publish(expanded.observations, from.kind)
    return expanded.entityId
  }

  return {
    submit: async (user, entity) =>
      append(entity, provenance(user, 'report', audienceOf(user, entity.visibleBy), ports.now())),
    markWellKnown: async (user, entity) => append(entity, provenance(user, 'well_known', [PUBLIC], ports.now())),
  }
}
