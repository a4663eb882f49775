import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { TypedValue } from '../../../schemas/intelligence/propagation/coverage.ts'
import { namedUuid } from '../../../schemas/log/ids.ts'
import { systemRecord } from './system-record.ts'

/**
 * The record that says an entity lies under a covering mark. Its ids follow from the two, so that saying it again is
 * recognised; its source is the mark, which is the evidence. `now`: unix milliseconds.
 */
export function coveredRecord(entity: TypedValue, mark: TypedValue, now: number): Observation {
  const { type, value } = entity
  const id = entityId(type, value)
  const source = entityId(mark.type, mark.value)
  return systemRecord(
    { entityId: id, type, value },
    {
      id: namedUuid(`covered/${source}/${id}`),
      submissionId: namedUuid(`covered/${source}`),
      source,
      kind: 'covered',
      observedAt: now,
    },
  )
}
