import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'

type RecordIdentity = Pick<Observation, 'id' | 'submissionId' | 'source' | 'kind' | 'observedAt'>

/**
 * A record about an entity that nobody stated and nobody is told of: no claim, no audience, nothing but its kind
 * (`nobodysFault` in validate.ts refuses any other).
 */
export const systemRecord = (
  { entityId, type, value }: Pick<Observation, 'entityId' | 'type' | 'value'>,
  said: RecordIdentity,
): Observation => ({
  entityId,
  type,
  value,
  ...said,
  attributes: {},
  reputation: null,
  tags: [],
  links: [],
  audience: [],
  userId: '',
  sourceKind: 'trusted',
  trust: 1,
  covers: false,
  retracted: null,
})
