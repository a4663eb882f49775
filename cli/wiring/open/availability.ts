import type { Logger } from 'pino'
import type { AvailabilityOptions } from '../../../connectors/availability/watch.ts'

/** Logs when a data store becomes unavailable and when it is available again. */
export const logAvailability =
  (logger: Logger): NonNullable<AvailabilityOptions['onChange']> =>
  ({ store, unavailable, reason }) =>
    unavailable
      ? logger.warn({ store, err: reason }, 'a data store is unavailable')
      : logger.warn({ store }, 'a data store is available again')
