import type { EventLog } from '../../../connectors/log/port.ts'
import { type Check, ok } from './finding.ts'

/** Checks that the log is reachable and has its topics. */
export const logCheck = (log: Pick<EventLog, 'ping'>, where: string): Check => ({
  name: 'log',
  todo: 'start the brokers of KAFKA_BROKERS, or check HARRIER_DATA_DIR',
  async run() {
    await log.ping()
    return [ok(`${where} is reachable`)]
  },
})
