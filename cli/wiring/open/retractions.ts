import type { History } from '../../../connectors/history/port.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { retractionStore } from '../../../connectors/history/stores/retraction.ts'
import type { Retractions } from '../../../connectors/operations/retractions/port.ts'
import { FROM_THE_START, type RetractPorts, type RetractResult, retractPage } from '../../../pipelines/retract/run.ts'
import { pause } from '../../../platform/pause.ts'
import { feedSource } from '../../../schemas/intelligence/observations/feed.ts'

/** Of one page: the jobs apply 2,000 records in seconds. */
const MOST_MS = 90_000

type RetractionParts = Pick<RetractPorts, 'log' | 'encode'> & {
  history: History
  /** A repeat refreshes a claim for so long, milliseconds. */
  dedupeWindow: number
}

/** Retractions page by page, over the live generation of the history. */
export function openRetractions({ log, encode, history, dedupeWindow }: RetractionParts): Retractions {
  const store = { ...retractionStore(history), ...observationStore(history) }
  return {
    async page({ feed, from, to, reason, preview, after }) {
      const source = feedSource(feed)
      if (after === null && !(await store.known(source))) return null
      const result: RetractResult = { found: 0, sent: 0, before: 0, changed: 0, left: 0 }
      const options = { source, from, to, reason, dryRun: preview, dedupeWindow, now: Date.now, pause }
      const signal = AbortSignal.timeout(MOST_MS)
      const next = await retractPage({ log, store, encode }, { ...options, signal }, after ?? FROM_THE_START, result)
      const { sent: retracted, ...rest } = result
      return { ...rest, retracted, next }
    },
  }
}
