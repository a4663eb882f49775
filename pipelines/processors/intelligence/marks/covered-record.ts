import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { TypedValue } from '../../../../schemas/intelligence/propagation/coverage.ts'
import { namedUuid } from '../../../../schemas/log/ids.ts'
import { systemRecord } from '../system-record.ts'

/**
 * The record that says an entity lies under a covering mark, or that it did until the mark was cleared; its source is the
 * mark, which is the evidence. Equal for equal moments: an entity may be covered and uncovered again and again.
 * `now`: unix milliseconds.
 */
export function coveredRecord(
  entity: TypedValue,
  mark: TypedValue,
  now: number,
  kind: 'covered' | 'uncovered' = 'covered',
): Observation {
  const { type, value } = entity
  const id = entityId(type, value)
  const source = entityId(mark.type, mark.value)
  return systemRecord(
    { entityId: id, type, value },
    {
      id: namedUuid(`${kind}/${now}/${source}/${id}`),
      submissionId: namedUuid(`${kind}/${now}/${source}`),
      source,
      kind,
      observedAt: now,
    },
  )
}
