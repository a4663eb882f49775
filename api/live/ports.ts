import type { LinkStore } from '../../connectors/history/links/port.ts'
import type { ChangeLog } from '../../connectors/operations/changes/port.ts'
import type { Live } from '../../connectors/postgres/live/port.ts'

/** What streams of changes work over. */
export type LivePorts = {
  /** What changes, as the log has it. */
  changes: ChangeLog
  /** First statements of relations, in `history`. */
  links: LinkStore
  live: Live
}
