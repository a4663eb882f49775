import { readSettings, writeSettings } from '../../../schemas/match/read-settings.ts'
import type { OwnerSettings } from '../../../schemas/match/settings.ts'
import { type Adoption, adoption } from './adopt.ts'
import type { MatchContext } from './context.ts'

const SETTINGS_OF = 'settings of '

/**
 * Keeps the owners as their settings say, and brings what was told to them. Which settings that is so for is noted in the
 * store: what was interrupted is done again.
 */
export function settingsFollower(context: MatchContext, notes: ReadonlyMap<string, string>) {
  const { ports, owners, options } = context
  const adopted = new Map<string, OwnerSettings>()
  for (const [name, text] of notes) {
    const settings = name.startsWith(SETTINGS_OF) ? readSettings(Buffer.from(text)) : null
    if (settings !== null) adopted.set(settings.owner, settings)
  }
  const waiting = new Map<string, Adoption>()
  /** Of owners that ended. */
  const forgotten = new Set<string>()

  function put(settings: OwnerSettings): void {
    if (owners.get(settings.owner)?.settings === settings) return
    const known = owners.put(settings)
    const former = adopted.get(settings.owner) ?? null
    if (former?.revision === settings.revision) return
    waiting.set(settings.owner, adoption(context, known, former))
  }

  function remove(owner: string): void {
    owners.remove(owner)
    waiting.delete(owner)
  }

  /** What an owner has goes when the log says that it ended: that a topic was lost is no reason to forget anything. */
  async function forget(owner: string): Promise<void> {
    remove(owner)
    if (forgotten.has(owner)) return
    await ports.store.forget(owner)
    await ports.store.putNote(SETTINGS_OF + owner, '', context.newVersion(), options.now())
    adopted.delete(owner)
    forgotten.add(owner)
  }

  return {
    /** Takes in whatever was put until now. */
    async refresh(): Promise<void> {
      await ports.settings.refresh()
      for (const settings of ports.settings.all()) {
        forgotten.delete(settings.owner)
        put(settings)
      }
      for (const owner of ports.settings.ended()) await forget(owner)
    },
    waits: (): boolean => waiting.size > 0,
    /** Brings one owner one part further. */
    async step(): Promise<void> {
      const [next] = waiting
      if (next === undefined) return
      const [owner, one] = next
      // Others have their turn.
      waiting.delete(owner)
      waiting.set(owner, one)
      const { settings } = owners.get(owner)!
      const began = options.now()
      if (!(await one.step())) return
      if (waiting.get(owner) === one) waiting.delete(owner)
      const text = writeSettings(settings).toString()
      await ports.store.putNote(SETTINGS_OF + owner, text, context.newVersion(), options.now())
      adopted.set(owner, settings)
      options.report({ kind: 'settings', owner, took: options.now() - began })
    },
  }
}

export type SettingsFollower = ReturnType<typeof settingsFollower>
