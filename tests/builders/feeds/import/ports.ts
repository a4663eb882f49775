import { logStatedObjects } from '../../../../connectors/operations/stated-objects/objects.ts'
import type { ImportPorts } from '../../../../pipelines/import/run-import.ts'
import type { FeedRegistration } from '../../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { decoder, encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { FEEDS, OBSERVATIONS } from '../../../../schemas/log/topics.ts'
import { type MemoryLog, memoryLog } from '../../log/memory-log.ts'

export type TestPorts = ImportPorts & {
  log: MemoryLog
  /** What is in the log, decoded. */
  observations(): Observation[]
  feeds(): FeedRegistration[]
}

/** The real codec over a log in memory. */
export function importPorts(log = memoryLog()): TestPorts {
  const types: Record<number, typeof records.observation> = { 1: records.observation, 2: records.feed }
  const writer = (id: number) => types[id]
  const decodeObservation = decoder<Observation>(records.observation, writer)
  const decodeFeed = decoder<FeedRegistration>(records.feed, writer)
  const all = <T>(topic: string, decode: typeof decodeObservation | typeof decodeFeed): T[] =>
    log.all(topic).map(({ value }) => {
      const decoded = decode(value!)
      if (!decoded.ok) throw new Error(decoded.reason)
      return decoded.record as T
    })
  return {
    log,
    encodeObservation: encoder<Observation>(records.observation, 1),
    encodeFeed: encoder<FeedRegistration>(records.feed, 2),
    decodeObservation,
    objects: logStatedObjects(log),
    observations: () => all<Observation>(OBSERVATIONS, decodeObservation),
    feeds: () => all<FeedRegistration>(FEEDS, decodeFeed),
  }
}
