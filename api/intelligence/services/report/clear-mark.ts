import type { Identity, Role } from '../../../../schemas/accounts/accounts.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { ApiError } from '../../../http/errors.ts'
import type { EntityViews } from '../entity/entity-views.ts'
import type { Readers } from '../readers.ts'
import type { IngestPorts } from './ingest.ts'
import { publisher } from './publish-reports.ts'
import { submitterOf } from './submitter.ts'

export type ClearMarkPorts = IngestPorts & { readers: Readers; entities: EntityViews }

/** Who may clear a mark that holds for everybody: an administrator who may set one. */
const REQUIRED: readonly Role[] = ['trusted', 'auth_admin']

/** @throws ApiError 403 that names the role which the caller lacks */
export async function permitClearing({ roles }: Identity): Promise<void> {
  const lacking = REQUIRED.find((role) => !roles.includes(role))
  if (lacking !== undefined) throw new ApiError('forbidden', { message: `the role ${lacking} is required` })
}

/**
 * Clears the well-known mark of an entity by a record of the log, which changes every row of it and what the mark covered
 * (decisions 17.2, ADR 270). Resolves to the id once the record is durable. Throws 404 for an entity that is not
 * marked, 500 (`publish_failed`) when the log cannot.
 */
export function clearMarkService(ports: ClearMarkPorts) {
  const publish = publisher(ports)

  return async (user: Identity, entityId: string): Promise<string> => {
    const rows = (await ports.entities.states(await ports.readers.of(user.groups), [entityId])).get(entityId)
    const marked = rows?.find((row) => row.wellKnown)
    if (marked === undefined) throw new ApiError('not_found', { message: 'the entity is not marked as well known' })
    const { type, value } = marked
    const { userId, source } = submitterOf(user)
    const observation: Observation = {
      id: ports.newId(),
      submissionId: ports.newId(),
      entityId,
      type,
      value,
      attributes: {},
      reputation: null,
      tags: [],
      links: [],
      // Of no audience: a version that does not know the kind refuses it, instead of taking it for a public sighting.
      audience: [],
      userId,
      source,
      sourceKind: 'trusted',
      trust: 1,
      kind: 'unmark',
      observedAt: ports.now(),
      covers: false,
      retracted: null,
      verdict: null,
      covered: false,
    }
    await publish([observation], observation.kind)
    return entityId
  }
}

export type ClearMark = ReturnType<typeof clearMarkService>
