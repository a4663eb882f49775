import { schemaIdOf } from '../../schemas/log/codec.ts'
import { unreadableSource } from './breaker-window.ts'
import type { SourceOf } from './group-breaker.ts'

/** Characters of a source that are told apart: what a producer writes there may be of any length. */
const MAX_SOURCE = 200

/** Whose record it is, by the sources of those that could be read, which stand by their offsets. */
export const sourceLookup =
  (sources: ReadonlyMap<number, string>): SourceOf =>
  ({ offset, value }) =>
    sources.get(offset)?.slice(0, MAX_SOURCE) ?? unreadableSource(value === null ? null : schemaIdOf(value))
