import type { Logger } from 'pino'
import type { WatchOptions } from '../../../connectors/availability/watch.ts'

/** Logs when a data store becomes unavailable and when it is available again. */
export const presenceTold =
  (logger: Logger): NonNullable<WatchOptions['told']> =>
  ({ store, away, reason }) =>
    away
      ? logger.warn({ store, err: reason }, 'a data store is unavailable')
      : logger.warn({ store }, 'a data store is available again')
