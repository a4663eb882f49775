import type { EventLog } from '../../../connectors/log/port.ts'
import { type Check, ok } from './finding.ts'

/** The log answers and has its topics. */
export const logCheck = (log: Pick<EventLog, 'ping'>, where: string): Check => ({
  name: 'log',
  todo: 'start the brokers of KAFKA_BROKERS, or look at HARRIER_DATA_DIR',
  async run() {
    await log.ping()
    return [ok(`${where} answers`)]
  },
})
