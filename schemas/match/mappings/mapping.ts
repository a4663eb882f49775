import type { EventKind, FieldName } from '../event.ts'

/** Paths (path.ts) of the parts of a URL that a sensor logs apart. Of several paths the first with a value counts. */
export type UrlParts = {
  /** Paths of the scheme; of none, it is http. */
  scheme: readonly string[]
  host: readonly string[]
  port: readonly string[]
  path: readonly string[]
  query: readonly string[]
}

/** Of which kind a record is. Rules are tried in order. */
export type KindRule =
  /** By what stands there. */
  | { path: string; kinds: Readonly<Record<string, EventKind>> }
  /** By whether anything stands there. */
  | { path: string; any: EventKind }

/** How the records of a format are read as events: data for one interpreter (apply.ts). */
export type Mapping = {
  /** Paths of the time, the first that has one counts; so for `host`, `user` and `ref`. */
  at: readonly string[]
  kind: readonly KindRule[]
  host: readonly string[]
  user: readonly string[]
  ref: readonly string[]
  /** Paths of values; all that stand there count, each once. */
  fields: Readonly<Partial<Record<FieldName, readonly string[]>>>
  /** For records without a whole URL; null where the format has whole ones only. */
  url: UrlParts | null
}

/** What sensors write where they have nothing. */
export const PLACEHOLDERS: ReadonlySet<string> = new Set(['', '-', '(empty)'])
