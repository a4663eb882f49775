import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'

type RecordIdentity = Pick<Observation, 'id' | 'submissionId' | 'source' | 'kind' | 'observedAt'>

/**
 * A record of the system about an entity, without a source or a notification: no claim, no audience, nothing but its
 * kind (`systemRecordFault` in validate.ts refuses any other).
 */
export const systemRecord = (
  { entityId, type, value }: Pick<Observation, 'entityId' | 'type' | 'value'>,
  identity: RecordIdentity,
): Observation => ({
  entityId,
  type,
  value,
  ...identity,
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
  verdict: null,
  covered: false,
})
