import { sharedLoads } from '../../../platform/shared-loads.ts'
import { MATCH_SETTINGS } from '../../../schemas/log/topics.ts'
import { readSettings, writeSettings } from '../../../schemas/match/read-settings.ts'
import type { OwnerSettings } from '../../../schemas/match/settings.ts'
import { compactedTable } from '../../log/compacted.ts'
import type { EventLog, LogMessage } from '../../log/port.ts'
import type { MatchSettingsTable } from './port.ts'

/**
 * Settings of owners over their topic. What cannot be read is passed over, and so are settings whose revision does not
 * rise: of two processes that change the same ones at once, all readers take those that the log has first. As
 * compaction keeps the last ones, whoever sees that its own were passed over sends those that hold once more.
 */
export function logMatchSettings(log: Pick<EventLog, 'offsets' | 'read' | 'send'>): MatchSettingsTable {
  const known = new Map<string, OwnerSettings>()
  const ended = new Set<string>()

  const readOn = compactedTable(log, MATCH_SETTINGS, ({ key, value }: LogMessage) => {
    const owner = key?.toString() ?? ''
    if (value === null) {
      known.delete(owner)
      ended.add(owner)
      return
    }
    const settings = readSettings(value)
    if (settings === null || settings.owner !== owner) return
    if (settings.revision <= (known.get(owner)?.revision ?? 0)) return
    known.set(owner, settings)
    ended.delete(owner)
  })
  // Every request asks: those that come at the same time share one look at the log.
  const refresh = sharedLoads(readOn)

  const send = (owner: string, value: Buffer | null): Promise<void> =>
    log.send([{ topic: MATCH_SETTINGS, messages: [{ key: owner, value }] }])

  return {
    refresh: () => refresh(MATCH_SETTINGS),
    get: (owner) => known.get(owner),
    all: () => [...known.values()],
    ended: () => [...ended],
    async put(settings) {
      const { owner } = settings
      const value = writeSettings(settings)
      await send(owner, value)
      await refresh(MATCH_SETTINGS)
      const held = known.get(owner)
      if (held !== undefined && !writeSettings(held).equals(value)) await send(owner, writeSettings(held))
    },
    remove: (owner) => send(owner, null),
  }
}
