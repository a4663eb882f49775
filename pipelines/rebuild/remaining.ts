import type { EventLog } from '../../connectors/log/port.ts'
import { OBSERVATIONS } from '../../schemas/log/topics.ts'
import { isOf, keyNumber, type Slice } from './slice.ts'

/** Room for a record, so that few entities share a place; 256 MB at most. */
const PLACES = 4
const MOST = 2 ** 26
/** Marks a place of which a record has come; more records than this no partition has. */
const MET = 2 ** 31

/**
 * How many records of each entity are still to come, estimated in little memory: entities may share a counter, which
 * then has the records of both. An entity without remaining records is complete; others may be.
 */
export async function remaining(log: Pick<EventLog, 'scan'>, task: Slice & { from: number; to: number }) {
  const { partition, slices, from, to } = task
  const most = Math.ceil((to - from) / slices) * PLACES
  const places = Math.min(MOST, 2 ** Math.ceil(Math.log2(Math.max(2, most))))
  const left = new Uint32Array(places)
  const placeOf = (key: Uint8Array): number => Math.floor(keyNumber(key)! / slices) % places

  for await (const messages of log.scan(OBSERVATIONS, partition, from, to))
    for (const { key } of messages) if (isOf(task, key)) left[placeOf(key!)]!++

  return {
    places,
    /** Where an entity is counted, below `places`; of keys that belong to the slice. */
    placeOf,
    /** Call for every record of the slice, in their order. @returns whether nothing came of its place before */
    isFirst(place: number): boolean {
      if (left[place]! >= MET) return false
      left[place]! += MET
      return true
    },
    /** Call after `isFirst`. @returns whether nothing more comes of its place */
    isLast(place: number): boolean {
      left[place]!--
      return left[place] === MET
    },
  }
}
