/** Observations as the log carries them. */

import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { decoder, encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import type { MemoryLog } from './memory-log.ts'

const decode = decoder<Observation>(records.observation, () => records.observation)

export const encodeObservation = encoder<Observation>(records.observation, 1)

/** The observations of every send so far. */
export const observationsIn = (log: MemoryLog): Observation[] =>
  log.sends.flat().map(({ value }) => {
    const decoded = decode(value ?? Buffer.alloc(0))
    if (!decoded.ok) throw new Error(decoded.reason)
    return decoded.record
  })
