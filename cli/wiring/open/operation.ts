import { NotRight, type PartsCheck } from '../../../api/http/parts-health.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { logBreakers } from '../../../connectors/operations/breakers/breakers.ts'
import type { Breakers } from '../../../connectors/operations/breakers/port.ts'
import { deadLetterBox } from '../../../connectors/operations/dead-letters/box.ts'
import { consumerLag } from '../../../connectors/operations/lag/consumer-lag.ts'
import type { Registry } from '../../../connectors/registry/port.ts'

/** What the API shows administrators of the log. */
export const openOperation = (log: EventLog, registry: Registry) => ({
  deadLetters: deadLetterBox({ log, registry, now: Date.now }),
  breakers: logBreakers(log),
  consumerLag: consumerLag(log, Date.now),
})

const CLOSED = 'closed'
/** Sources that stand alone are named up to so many. */
const MAX_NAMED = 10

/** Not ready while a consumer stands still, wherever it runs: answers are out of date then. */
export const breakerCheck = (breakers: Breakers): PartsCheck => ({
  name: 'breakers',
  async check() {
    const states = (await breakers.list()).filter((state) => state.open)
    const open = states.filter(({ source }) => source === null)
    if (open.length > 0) throw new NotRight(`open: ${open.map(({ group }) => group).join(' ')}`)
    const alone = states.map(({ group, source }) => `${source} in ${group}`)
    return alone.length === 0 ? CLOSED : `${CLOSED}; isolated: ${alone.slice(0, MAX_NAMED).join(', ')}`
  },
  // A source is a user, a customer or a feed: only administrators see the sources of reports.
  forAnybody: () => CLOSED,
})
