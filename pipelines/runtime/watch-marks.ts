import type { PropagationStore } from '../../connectors/history/port.ts'
import { pause as pauseFor } from '../../platform/pause.ts'
import { type RoundsOptions, startRounds } from '../../platform/rounds.ts'
import type { TypedValue } from '../../schemas/intelligence/propagation/coverage.ts'
import { knownMarks } from './known-marks.ts'
import { unwritten, type Written } from './unwritten.ts'

/** A process that makes records knows a mark after so many milliseconds; until then the job of ADR 270 adds the floor. */
const EVERY_MS = 5_000
/** The first reading is waited for so long: records are made without a store too. */
const FIRST_MS = 3_000

export type MarkWatch = {
  /** Whether a covering mark is over the entity, as far as this process knows. */
  isCovered(entity: TypedValue): boolean
  stop(): Promise<void>
}

/** For a process that has no store: whether a mark covers what it reports is for the job of ADR 270 to say. */
export const NO_MARKS: MarkWatch = { isCovered: () => false, stop: async () => undefined }

/**
 * Knows the covering marks of a store, for a process that makes records and stores no rows. Resolves once they were
 * read, or could not be: without the store no mark is known, and records are made all the same. `onFailure` is told of
 * the first failure of a series.
 */
export async function watchMarks(
  store: Pick<PropagationStore, 'marks'>,
  {
    onFailure,
    pause = pauseFor,
    written,
  }: Pick<RoundsOptions, 'onFailure' | 'pause'> & { written?: Written | undefined },
): Promise<MarkWatch> {
  const marks = knownMarks(store)
  const first = new AbortController()
  const present = unwritten(written, Date.now)
  let failing = false
  const rounds = startRounds({
    async round() {
      if (present.holds()) return EVERY_MS
      const answered = present.asking()
      await marks.read().finally(() => first.abort())
      answered()
      failing = false
      return EVERY_MS
    },
    onFailure(error) {
      if (!failing) onFailure(error)
      failing = true
    },
    failedMs: EVERY_MS,
    maxPauseMs: EVERY_MS,
    pause,
  })
  await pauseFor(FIRST_MS, first.signal)
  return { isCovered: (entity) => marks.over(entity) !== null, stop: rounds.stop }
}
