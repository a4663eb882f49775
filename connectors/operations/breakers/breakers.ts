import { sharedLoads } from '../../../platform/shared-loads.ts'
import { BREAKERS } from '../../../schemas/log/topics.ts'
import { type BreakerState, breakerKey, readBreaker } from '../../../schemas/operation/breaker.ts'
import { compactedTable } from '../../log/compacted.ts'
import type { EventLog } from '../../log/port.ts'
import type { Breakers } from './port.ts'

/** Breaker states read from a compacted topic. */
export function logBreakers(log: Pick<EventLog, 'offsets' | 'read' | 'send'>): Breakers {
  const states = new Map<string, BreakerState>()
  const readOn = compactedTable(log, BREAKERS, ({ key, value }) => {
    const name = key?.toString() ?? ''
    const state = value === null ? null : readBreaker(value)
    if (state === null) states.delete(name)
    else states.set(name, state)
  })
  // All groups of a process ask at the same moments.
  const shared = sharedLoads(readOn)
  const refresh = (): Promise<void> => shared(BREAKERS)

  return {
    async list() {
      await refresh()
      return [...states.values()].sort((a, b) => (breakerKey(a) < breakerKey(b) ? -1 : 1))
    },
    async state(group) {
      await refresh()
      return states.get(group) ?? null
    },
    set: (state) =>
      log.send([
        { topic: BREAKERS, messages: [{ key: breakerKey(state), value: Buffer.from(JSON.stringify(state)) }] },
      ]),
  }
}
