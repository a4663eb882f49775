import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'

export const NOW = Date.UTC(2026, 0, 15, 12)
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** An observation that fills in what a test does not care about; the id follows from type and value. */
export function observation(given: Partial<Observation> = {}): Observation {
  const type = given.type ?? 'ip'
  const value = given.value ?? '8.8.8.8'
  return {
    id: '019b0000-0000-7000-8000-000000000001',
    submissionId: '019b0000-0000-7000-8000-000000000000',
    entityId: entityId(type, value),
    type,
    value,
    attributes: {},
    reputation: -3,
    tags: [],
    links: [],
    audience: ['public'],
    userId: 'u1',
    source: 's1',
    sourceKind: 'user',
    trust: 0.6,
    kind: 'report',
    observedAt: NOW,
    covers: false,
    retracted: null,
    verdict: null,
    covered: false,
    ...given,
  }
}
