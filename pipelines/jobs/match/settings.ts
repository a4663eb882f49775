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

  function put(settings: OwnerSettings): void {
    if (owners.get(settings.owner)?.settings === settings) return
    const known = owners.put(settings)
    const former = adopted.get(settings.owner) ?? null
    if (former?.revision === settings.revision) return
    waiting.set(settings.owner, adoption(context, known, former))
  }

  async function remove(owner: string): Promise<void> {
    owners.remove(owner)
    waiting.delete(owner)
    await ports.store.forget(owner)
    await ports.store.putNote(SETTINGS_OF + owner, '', context.newVersion(), options.now())
    adopted.delete(owner)
  }

  return {
    /** Takes in whatever was put until now. */
    async refresh(): Promise<void> {
      await ports.settings.refresh()
      const present = new Set<string>()
      for (const settings of ports.settings.all()) {
        present.add(settings.owner)
        put(settings)
      }
      const known = [...owners.all()].map(({ owner }) => owner)
      for (const owner of new Set([...known, ...adopted.keys()])) if (!present.has(owner)) await remove(owner)
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
