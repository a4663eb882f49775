import type { Logger } from 'pino'
import type { WatchOptions } from '../../../connectors/availability/watch.ts'

/** What the log of a process says of a store that goes away and comes back. */
export const presenceTold =
  (logger: Logger): NonNullable<WatchOptions['told']> =>
  ({ store, away, reason }) =>
    away ? logger.warn({ store, err: reason }, 'a store is away') : logger.warn({ store }, 'a store is back')
