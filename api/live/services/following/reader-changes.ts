import type { PlacedChange } from '../../../../connectors/operations/changes/port.ts'
import { type RetryOptions, retry } from '../../../../platform/retry.ts'
import type { Link } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import { type ViewChange, viewChange } from '../../../../schemas/intelligence/state/view-change.ts'
import { tellable } from '../../../../schemas/live/change-event.ts'
import { type LiveChange, liveChange } from './live-change.ts'
import type { NewLinks } from './new-links.ts'
import type { LiveReader } from './reader.ts'
import type { WideViews } from './wide-views.ts'

export type ReaderChangesPorts = { scoring: Scoring; newLinks: NewLinks; wideViews: WideViews }

/** @param isAwaited whether somebody still waits to be told */
export type ReaderChanges = (
  reader: LiveReader,
  changes: readonly PlacedChange[],
  isAwaited: () => boolean,
) => Promise<LiveChange[]>

type Patience = Pick<RetryOptions, 'pausesMs'> & { forMs: number }

/** A history store that starts again is away for some seconds; clients that came back would find it no sooner. */
const PATIENCE: Patience = { pausesMs: [100, 250, 500, 1_000], forMs: 10_000 }

/**
 * What changes are to a reader (decisions 10.2), in their order: nothing of what it may not read, each new relation once.
 * Rejects when the history store, which knows relations and rows that changes do not carry, cannot be asked for a while.
 */
export function readerChanges(
  { scoring, newLinks, wideViews }: ReaderChangesPorts,
  patience = PATIENCE,
): ReaderChanges {
  return async (reader, changes, isAwaited) => {
    const until = performance.now() + patience.forMs
    // Each question by itself: what was answered is not asked again, since wide views remember what they told.
    const asked = <T>(question: () => Promise<T>): Promise<T> => {
      const forMs = until - performance.now()
      return retry(question, { pausesMs: patience.pausesMs, forMs, shouldRetry: isAwaited })
    }
    const groups = new Set(reader.groups)
    const reads = (audience: readonly string[]): boolean => audience.some((group) => groups.has(group))
    const rules = await asked(scoring)
    const seen: { placed: PlacedChange; seen: ViewChange }[] = []
    for (const placed of changes) {
      const view = viewChange(placed.change, reads, rules)
      if (view === null) continue
      const told = view === 'wide' ? await asked(() => wideViews(reader, placed.change, reads)) : view
      if (told !== null) seen.push({ placed, seen: told })
    }
    const stated = seen.filter(({ seen: { links } }) => links.length > 0)
    const fresh = await asked(() => newLinks(reader, stated))
    return seen.map((one) => liveChange(one.placed, one.seen, tellable(one.seen, fresh.get(one.placed) ?? NO_LINKS)))
  }
}

const NO_LINKS: readonly Link[] = []
