import { type BreakerState, readBreaker } from '../../schemas/breaker.ts'
import { BREAKERS } from '../../schemas/topics.ts'
import { compactedTable } from '../log/compacted.ts'
import type { EventLog } from '../log/port.ts'
import type { Breakers } from './port.ts'

/** Breakers as a compacted topic tells them. */
export function logBreakers(log: Pick<EventLog, 'offsets' | 'read' | 'send'>): Breakers {
  const states = new Map<string, BreakerState>()
  const refresh = compactedTable(log, BREAKERS, ({ key, value }) => {
    const group = key?.toString() ?? ''
    const state = value === null ? null : readBreaker(value)
    if (state === null) states.delete(group)
    else states.set(group, state)
  })

  return {
    async list() {
      await refresh()
      return [...states.values()].sort((a, b) => (a.group < b.group ? -1 : 1))
    },
    async state(group) {
      await refresh()
      return states.get(group) ?? null
    },
    set: (state) =>
      log.send([{ topic: BREAKERS, messages: [{ key: state.group, value: Buffer.from(JSON.stringify(state)) }] }]),
  }
}
