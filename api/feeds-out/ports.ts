import type { FeedFiles } from '../../connectors/feed-files/port.ts'
import type { FeedLists, FeedStates } from '../../connectors/history/feeds-out/port.ts'

/** What the routes of feeds work over. */
export type FeedsOutPorts = {
  feedStates: FeedStates
  feedLists: FeedLists
  feedFiles: FeedFiles
}
