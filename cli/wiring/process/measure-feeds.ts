import type { FeedStates } from '../../../connectors/history/feeds-out/port.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { HOLDERS } from '../../../schemas/feeds-out/head.ts'

/** Reads how many feeds are held; called before every exposition. */
export async function measureFeeds(
  states: Pick<FeedStates, 'held'>,
  { instruments: m }: Pick<Metrics, 'instruments'>,
): Promise<void> {
  const held = await states.held()
  for (const by of HOLDERS) m.harrier_feeds_held.set({ by }, held[by])
}
