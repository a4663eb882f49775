/** The producing side of the event log, in memory: what was sent can be looked at. */

import type { EventLog, OutgoingMessage } from '../../../connectors/log/port.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { decoder, encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'

export type MemoryLog = Pick<EventLog, 'send'> & {
  /** Each send as one array. */
  sends: (OutgoingMessage & { topic: string })[][]
  /** The next sends reject with this. */
  failWith: (error: Error | null) => void
}

export function memoryLog(): MemoryLog {
  const sends: MemoryLog['sends'] = []
  let failure: Error | null = null
  return {
    sends,
    failWith: (error) => {
      failure = error
    },
    send: async (batches) => {
      if (failure !== null) throw failure
      sends.push(batches.flatMap(({ topic, messages }) => messages.map((message) => ({ ...message, topic }))))
    },
  }
}

const decode = decoder<Observation>(records.observation, () => records.observation)

export const encodeObservation = encoder<Observation>(records.observation, 1)

/** The observations of every send so far. */
export const observationsIn = (log: MemoryLog): Observation[] =>
  log.sends.flat().map(({ value }) => {
    const decoded = decode(value ?? Buffer.alloc(0))
    if (!decoded.ok) throw new Error(decoded.reason)
    return decoded.record
  })
