import { schemaIdOf } from '../../../schemas/log/codec.ts'
import { unreadableSource } from './breaker-window.ts'
import type { SourceOf } from './group-breaker.ts'

/** Sources are distinguished by this many characters: a producer may write text of any length. */
const MAX_SOURCE = 200

/** The sources of records that could be decoded, by their offsets. */
export const sourceLookup =
  (sources: ReadonlyMap<number, string>): SourceOf =>
  ({ offset, value }) =>
    sources.get(offset)?.slice(0, MAX_SOURCE) ?? unreadableSource(value === null ? null : schemaIdOf(value))
