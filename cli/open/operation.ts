import { NotRight, type PartsCheck } from '../../api/services/parts-health.ts'
import { logBreakers } from '../../connectors/breakers/breakers.ts'
import type { Breakers } from '../../connectors/breakers/port.ts'
import { deadLetterBox } from '../../connectors/dead-letters/box.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import type { Registry } from '../../connectors/registry/port.ts'
import { logStanding } from '../../connectors/standing/log.ts'

/** What the API tells administrators of the log. */
export const openOperation = (log: EventLog, registry: Registry) => ({
  deadLetters: deadLetterBox({ log, registry, now: Date.now }),
  breakers: logBreakers(log),
  standing: logStanding(log, Date.now),
})

/** Not ready while a consumer stands still, wherever it runs: answers are out of date then. */
export const breakerCheck = (breakers: Breakers): PartsCheck => ({
  name: 'breakers',
  async check() {
    const open = (await breakers.list()).filter((state) => state.open)
    if (open.length > 0) throw new NotRight(`open: ${open.map(({ group }) => group).join(' ')}`)
    return 'closed'
  },
})
