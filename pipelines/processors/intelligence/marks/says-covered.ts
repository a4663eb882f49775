import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { TypedValue } from '../../../../schemas/intelligence/propagation/coverage.ts'

type Encode = (observation: Observation) => Buffer

/**
 * Encodes records, each with what its maker knows of covering marks, so that an entity under one has the floor from its
 * first row on and is shown to nobody without it (ADR 270).
 * @param isCovered whether a mark is over the entity
 */
export const saysCovered =
  (encode: Encode, isCovered: (entity: TypedValue) => boolean): Encode =>
  (observation) =>
    encode(isCovered(observation) ? { ...observation, covered: true } : observation)
