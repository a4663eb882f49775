import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { relationAudience } from '../../../../schemas/intelligence/ingest/relation-audience.ts'
import type { Observation, SubmittedRelation } from '../../../../schemas/intelligence/observations/observation.ts'
import { ApiError, invalid } from '../../../http/errors.ts'
import type { EntityViews } from '../entity/entity-views.ts'
import type { Readers } from '../readers.ts'
import type { IngestPorts } from './ingest.ts'
import { publisher } from './publish-reports.ts'
import { audienceOf, provenance } from './submitter.ts'

export type AssociatePorts = IngestPorts & { readers: Readers; entities: EntityViews }

/**
 * A relation between two entities that the submitter knows -> one observation on the log: a sighting of the first, with
 * the link. Resolves to the id of the first once it is durable. Throws 400 for an entity with itself, 404 for one that
 * the submitter may not read, 403 for a foreign group and for one that could not read both entities before (ADR 100).
 */
export function associateService(ports: AssociatePorts) {
  const publish = publisher(ports)

  return async (
    user: Identity,
    { entityID, relatedEntityID, mode = 'association', relationship = null, visibleBy }: SubmittedRelation,
  ): Promise<string> => {
    if (entityID === relatedEntityID) throw invalid('relatedEntityID', 'must differ from entityID')
    const requested = audienceOf(user, visibleBy)
    const reader = await ports.readers.of(user.groups)
    const states = await ports.entities.states(reader, [entityID, relatedEntityID])
    const known = (id: string, param: string) => {
      const rows = states.get(id)
      if (rows === undefined) throw new ApiError('not_found', { message: `${param}: no such entity`, param })
      return { rows, groups: new Set(rows.flatMap((row) => reader.visibleBy(row.audience))) }
    }
    const entity = known(entityID, 'entityID')
    const related = known(relatedEntityID, 'relatedEntityID')
    // By default all own groups were meant, each on its own: canonical form would have made them `public` alone.
    const exact = visibleBy !== null && visibleBy !== undefined
    const audience = relationAudience(exact ? requested : user.ownGroups, [entity.groups, related.groups], exact)
    if (audience === null) throw tooWide(exact)
    const { type, value } = await ports.entities.fold(entity.rows)
    const observation: Observation = {
      id: ports.newId(),
      submissionId: ports.newId(),
      entityId: entityID,
      type,
      value,
      attributes: {},
      covers: false,
      retracted: null,
      verdict: null,
      covered: false,
      reputation: null,
      tags: [],
      links: [{ mode, entityId: relatedEntityID, relationship }],
      ...provenance(user, 'report', audience, ports.now()),
    }
    await publish([observation], observation.kind)
    return entityID
  }
}

export type Associate = ReturnType<typeof associateService>

const tooWide = (exact: boolean): ApiError =>
  new ApiError('forbidden', {
    message: exact
      ? 'visibleBy: every group must already be able to read both entities'
      : "visibleBy: none of the submitter's groups can read both entities",
    param: 'visibleBy',
  })
