/** The one load of the demonstration corpus, as the records of `demo.loads` tell it: pure, in their order (ADR 142). */

/** What is loaded: the same four numbers are the same corpus. */
export type CorpusSettings = {
  entities: number
  days: number
  seed: number
  /** Unix milliseconds: the end of its last day. */
  end: number
}

type Mark = { partition: number; offset: number }

/** `by`: which process says so, a UUID; `at`: unix milliseconds. */
export type DemoRecord = { by: string; at: number } & (
  | { kind: 'begin'; corpus: CorpusSettings }
  /** Somebody goes on where another one died or left. */
  | { kind: 'take' }
  /** Reports up to `line` of `total` are in the log; of those after it, one batch behind `watermarks` may be. */
  | { kind: 'progress'; line: number; total: number; watermarks: Mark[] }
  /** The process stops; `paused`: and nobody is to go on before somebody asks for it. */
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
  /** Who loads, and when it was last heard of; null: nobody does. */
  holder: { by: string; at: number } | null
  paused: boolean
  ended: boolean
}

/** What administrators are told: of `total` reports `loaded` are in the log; `loaded` as a state once they are answered. */
export type DemoState = { state: 'none' | 'loading' | 'loaded'; entities: number; loaded: number; total: number }

/** Whoever is silent this long has lost the load: longer than the log may take for a batch. */
export const LEASE_MS = 30_000

/** Whether somebody may take the load at this moment. */
export const isFree = ({ holder, ended }: DemoLoad, at: number): boolean =>
  !ended && (holder === null || at > holder.at + LEASE_MS)

/**
 * The load after one more record. Of two that begin or take it at the same time the first in the log has it, and what
 * a process says that has lost it counts for nothing.
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
