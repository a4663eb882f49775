import { LogUnavailable } from '../availability/port.ts'
import type { EventLog } from './port.ts'

/** Sends that were given up and have no end yet: past it nothing more is handed to a log that takes nothing. */
const MAX_GIVEN_UP = 256

/**
 * `send` of a log, given up after `ms`: no caller waits longer for an answer. What was given up may be in the log all the
 * same, or come to be: whoever sends it again says the same twice, which is told by its content.
 * @throws LogUnavailable, at once while too many that were given up are still on their way, or what `send` throws
 */
export function sendWithin(log: Pick<EventLog, 'send'>, ms: number): EventLog['send'] {
  let givenUp = 0
  return async (sends) => {
    if (givenUp >= MAX_GIVEN_UP) throw new LogUnavailable('does not accept records')
    const { promise, reject } = Promise.withResolvers<never>()
    const sent = log.send(sends)
    const timer = setTimeout(() => {
      givenUp++
      const settleOne = (): void => void givenUp--
      sent.then(settleOne, settleOne)
      reject(new LogUnavailable(`did not accept a record within ${ms} ms`))
    }, ms)
    try {
      return await Promise.race([sent, promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
