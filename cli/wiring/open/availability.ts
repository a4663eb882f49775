import type { Logger } from 'pino'
import type { AvailabilityOptions } from '../../../connectors/availability/watch.ts'

/** What the log of a process says of a store that goes away and comes back. */
export const logAvailability =
  (logger: Logger): NonNullable<AvailabilityOptions['onChange']> =>
  ({ store, unavailable, reason }) =>
    unavailable ? logger.warn({ store, err: reason }, 'a store is away') : logger.warn({ store }, 'a store is back')
