import type { Logger } from 'pino'
import type { WatchOptions } from '../../connectors/presence/watch.ts'

/** What the log of a process says of a store that goes away and comes back. */
export const presenceTold =
  (logger: Logger): NonNullable<WatchOptions['told']> =>
  ({ store, away, reason }) =>
    away
      ? logger.warn({ store, err: reason }, 'a data store is unavailable')
      : logger.warn({ store }, 'a data store is available again')
