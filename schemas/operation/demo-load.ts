/** State of the one load of the demonstration corpus, folded from the records of `demo.loads` in order; pure (ADR 281). */

/** What is loaded: the same four numbers are the same corpus. */
export type CorpusSettings = {
  entities: number
  days: number
  seed: number
  /** Unix milliseconds: the end of its last day. */
  end: number
}

type Mark = { partition: number; offset: number }

/** `by`: the process that wrote the record, a UUID; `at`: unix milliseconds. */
export type DemoRecord = { by: string; at: number } & (
  | { kind: 'begin'; corpus: CorpusSettings }
  /** A process continues a load that another process has left, or lost by ending. */
  | { kind: 'take' }
  /** Reports up to `line` of `total` are in the log; of those after it, one batch behind `watermarks` may be. */
  | { kind: 'progress'; line: number; total: number; watermarks: Mark[] }
  /** The process stops; `paused`: the load continues only when an administrator starts it again. */
  | { kind: 'leave'; paused: boolean }
  /** All is in the log, below `watermarks`. */
  | { kind: 'end'; watermarks: Mark[] }
)

export type DemoLoad = {
  corpus: CorpusSettings
  line: number
  /** 0 until it is known. */
  total: number
  watermarks: readonly Mark[]
  /** The process that loads, and the time of its last heartbeat; null: no process loads. */
  holder: { by: string; at: number } | null
  paused: boolean
  ended: boolean
}

/** What administrators see: of `total` reports `loaded` are in the log; the state is `loaded` once searches find them. */
export type DemoState = { state: 'none' | 'loading' | 'loaded'; entities: number; loaded: number; total: number }

/** Milliseconds without a heartbeat after which a process loses the load: longer than the log may take for a batch. */
export const LEASE_MS = 30_000

/** Whether a process may take over the load at this moment. */
export const isFree = ({ holder, ended }: DemoLoad, at: number): boolean =>
  !ended && (holder === null || at > holder.at + LEASE_MS)

/**
 * The load after one more record. When two processes begin or take it at the same time, the first record in the log wins.
 * Records of a process that has lost the load are ignored.
 */
export function demoLoadAfter(before: DemoLoad | null, record: DemoRecord): DemoLoad | null {
  const { by, at } = record
  const holder = { by, at }
  if (record.kind === 'begin')
    return before ?? { corpus: record.corpus, line: 0, total: 0, watermarks: [], holder, paused: false, ended: false }
  if (before === null) return null
  if (record.kind === 'take') return isFree(before, at) ? { ...before, holder, paused: false } : before
  if (before.holder?.by !== by) return before
  if (record.kind === 'leave') return { ...before, holder: null, paused: record.paused }
  const { watermarks } = record
  if (record.kind === 'end') return { ...before, watermarks, line: before.total, holder: null, ended: true }
  return { ...before, watermarks, line: record.line, total: record.total, holder }
}
