import { readSettings, writeSettings } from '../../../../schemas/match/read-settings.ts'
import type { OwnerSettings } from '../../../../schemas/match/settings.ts'
import type { MatchContext } from '../context.ts'
import { type Adoption, adoption } from './adopt.ts'

const SETTINGS_OF = 'settings of '
const BEGUN_BY = 'begun by '

/**
 * Keeps the owners as their settings say, and brings what was told to them. Which settings that is so for is noted in the
 * store, and by which others something may have been told since: what was interrupted is done again.
 */
export function settingsFollower(context: MatchContext, notes: ReadonlyMap<string, string>) {
  const { ports, owners, options } = context
  const adopted = new Map<string, OwnerSettings>()
  for (const [name, text] of notes) {
    const settings = name.startsWith(SETTINGS_OF) ? readSettings(Buffer.from(text)) : null
    if (settings !== null) adopted.set(settings.owner, settings)
  }
  /** Settings that were followed since, oldest first, and may have been replaced before all was brought to them. */
  const begun = new Map<string, OwnerSettings[]>()
  for (const [name, text] of notes) {
    if (!name.startsWith(BEGUN_BY) || text === '') continue
    const owner = name.slice(BEGUN_BY.length)
    const read = (JSON.parse(text) as string[]).map((one) => readSettings(Buffer.from(one)))
    const since = adopted.get(owner)?.revision ?? 0
    begun.set(
      owner,
      read.filter((one) => one !== null && one.revision > since).map((one) => one!),
    )
  }
  const waiting = new Map<string, Adoption>()
  /** Of owners that ended. */
  const forgotten = new Set<string>()

  const note = (name: string, text: string): Promise<void> =>
    ports.store.putNote(name, text, context.newVersion(), options.now())

  async function put(settings: OwnerSettings): Promise<void> {
    const { owner, revision } = settings
    if (owners.get(owner)?.settings === settings) return
    const former = adopted.get(owner)
    if (former?.revision === revision) return void owners.put(settings)
    const others = (begun.get(owner) ?? []).filter((one) => one.revision !== revision)
    if (former === undefined && others.length === 0 && (await ports.store.values(owner, 0, null, 1)).length === 0) {
      await note(SETTINGS_OF + owner, writeSettings(settings).toString())
      adopted.set(owner, settings)
      return void owners.put(settings)
    }
    const those = [...others, settings]
    await note(BEGUN_BY + owner, JSON.stringify(those.map((one) => writeSettings(one).toString())))
    begun.set(owner, those)
    waiting.set(owner, adoption(context, owners.put(settings), former === undefined ? others : [former, ...others]))
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
    await note(BEGUN_BY + owner, '')
    await note(SETTINGS_OF + owner, '')
    begun.delete(owner)
    adopted.delete(owner)
    forgotten.add(owner)
  }

  return {
    /** Takes in whatever was put until now. */
    async refresh(): Promise<void> {
      await ports.settings.refresh()
      for (const settings of ports.settings.all()) {
        forgotten.delete(settings.owner)
        await put(settings)
      }
      for (const owner of ports.settings.ended()) await forget(owner)
    },
    /** Whether `refresh` has something to take in. */
    differs: (): boolean =>
      ports.settings.all().some((settings) => owners.get(settings.owner)?.settings !== settings) ||
      ports.settings.ended().some((owner) => !forgotten.has(owner)),
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
      const text = writeSettings(settings).toString()
      await note(SETTINGS_OF + owner, text)
      adopted.set(owner, settings)
      begun.delete(owner)
      // Last, so that it is noted for good.
      waiting.delete(owner)
      options.report({ kind: 'settings', owner, took: options.now() - began })
    },
  }
}

export type SettingsFollower = ReturnType<typeof settingsFollower>
