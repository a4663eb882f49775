import type { Named } from '../../schemas/cover/under.ts'
import { entityId } from '../../schemas/entities/id.ts'
import { namedUuid } from '../../schemas/ids.ts'
import type { Observation } from '../../schemas/observation.ts'

/**
 * The record that says an entity lies under a covering mark. Its ids follow from the two, so that saying it again is
 * recognised; its source is the mark, which is the evidence. `now`: unix milliseconds.
 */
export function covered(entity: Named, mark: Named, now: number): Observation {
  const id = entityId(entity.type, entity.value)
  const source = entityId(mark.type, mark.value)
  return {
    id: namedUuid(`covered/${source}/${id}`),
    submissionId: namedUuid(`covered/${source}`),
    entityId: id,
    type: entity.type,
    value: entity.value,
    attributes: {},
    reputation: null,
    tags: [],
    links: [],
    audience: [],
    userId: '',
    source,
    sourceKind: 'trusted',
    trust: 1,
    kind: 'covered',
    observedAt: now,
    covers: false,
    retracted: null,
  }
}
