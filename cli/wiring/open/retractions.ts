import { StoreSlow } from '../../../connectors/availability/port.ts'
import type { History } from '../../../connectors/history/port.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { retractionStore } from '../../../connectors/history/stores/retraction.ts'
import { RetractionPending, type Retractions } from '../../../connectors/operations/retractions/port.ts'
import { FROM_THE_START, NOTHING_DONE, type RetractPorts } from '../../../pipelines/retract/ports.ts'
import { retractPage } from '../../../pipelines/retract/run.ts'
import { pause } from '../../../platform/pause.ts'
import { feedSource } from '../../../schemas/intelligence/observations/feed.ts'

/** The jobs apply the 2,000 records of a page in seconds; proxies give a request a minute. */
const PATIENCE = { stalledMs: 20_000, mostMs: 40_000 }
/** Of one page, with what is read before. */
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
      const signal = AbortSignal.timeout(MOST_MS)
      const window = { source, from, to, reason, dryRun: preview, dedupeWindow }
      const options = { ...window, patience: PATIENCE, now: Date.now, pause, signal }
      const result = { ...NOTHING_DONE }
      const ports = { log, store, encode }
      try {
        const next = await retractPage(ports, options, after ?? FROM_THE_START, result)
        return { ...result, next }
      } catch (error) {
        if (!signal.aborted || error instanceof RetractionPending) throw error
        throw new StoreSlow('the history store', 'did not find the page of a retraction in time', { cause: error })
      }
    },
  }
}
