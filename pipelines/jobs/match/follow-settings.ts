import type { LedgerValue } from '../../../connectors/history/match/port.ts'
import type { FieldName } from '../../../schemas/match/event.ts'
import { hourOf } from '../../../schemas/match/ledger.ts'
import { readSettings, writeSettings } from '../../../schemas/match/read-settings.ts'
import type { OwnerSettings } from '../../../schemas/match/settings.ts'
import { arrivedValue } from '../../processors/match/arrived.ts'
import type { Candidate } from '../../processors/match/indicators.ts'
import { type KnownOwner, knownOwners } from '../../processors/match/known-owners.ts'
import { type MatchContext, matchedEntity, presentOf } from './match-context.ts'
import { tellRetro } from './retro-matches.ts'
import { restoreMatches, withdrawMatches } from './withdraw.ts'

const DAY_MS = 86_400_000
const VALUES_AT_ONCE = 20_000
const ENTITIES_AT_ONCE = 2_000
/** Entities that are remembered to have met the ledger; to meet it again changes nothing. */
const MET_AT_MOST = 200_000

/**
 * Brings the matches of an owner to its present settings (decisions 14.3): what these leave out is withdrawn, what they
 * take in meets the ledger. One step at a time, so that events and changes go on beside it; begun anew after a restart, it
 * tells nothing twice.
 * @param formers by which they may be, oldest first
 */
function settingsChange(context: MatchContext, known: KnownOwner, formers: readonly OwnerSettings[]) {
  const { store } = context.ports
  const before = formers.map((former) => knownOwners().put(former))
  const longest = Math.max(0, ...formers.map(({ retentionDays }) => retentionDays))
  let entity: string | null = ''
  let value: LedgerValue | null = null
  let begun = false
  /** Those that met the ledger. */
  const met = new Set<string>()

  /** Entities that there are matches of. */
  async function lookAtMatched(after: string): Promise<void> {
    const ids = await store.matchedEntities(known.owner, after, ENTITIES_AT_ONCE)
    const now = context.options.now()
    const present = await presentOf(context, ids)
    const left = new Map<string, string>()
    const held: string[] = []
    const holds = (by: KnownOwner, id: string): boolean => {
      const view = present.viewOf(id, by.reader)
      return view !== null && by.selector.holds(view, now)
    }
    for (const id of ids) {
      if (holds(known, id)) {
        held.push(id)
        continue
      }
      // What had left by time alone before stays.
      const by = before.findLast((one) => holds(one, id))
      if (by !== undefined) left.set(id, reasonOf(by, known))
    }
    await restoreMatches(context, [known], held)
    await withdrawMatches(context, [known], left)
    entity = ids.length < ENTITIES_AT_ONCE ? null : ids.at(-1)!
  }

  /** Values of the ledger, whichever indicator they are. */
  async function lookAtLedger(): Promise<boolean> {
    const now = context.options.now()
    const since = hourOf(now - known.settings.retentionDays * DAY_MS)
    const values = await store.values(known.owner, since, value, VALUES_AT_ONCE)
    const found = new Map<string, Candidate>()
    for (const { field, value: text } of values) {
      const looked = arrivedValue(field as FieldName, text)
      if (looked === null) continue
      for (const one of context.index.indicators.candidates(looked)) if (!met.has(one.id)) found.set(one.id, one)
    }
    const present = await presentOf(context, [...found.keys()])
    const entities = [...found.keys()].flatMap((id) => {
      const view = present.viewOf(id, known.reader)
      return view !== null && known.selector.holds(view, now) ? [matchedEntity(id, view)] : []
    })
    await tellRetro(context, [known], entities)
    if (met.size > MET_AT_MOST) met.clear()
    for (const id of found.keys()) met.add(id)
    value = values.at(-1) ?? value
    return values.length < VALUES_AT_ONCE
  }

  return {
    owner: known.owner,
    /** Does the next part. @returns whether that was the last one */
    async step(): Promise<boolean> {
      if (!begun && known.settings.retentionDays < longest) {
        const oldest = context.options.now() - known.settings.retentionDays * DAY_MS
        await store.forgetBefore(known.owner, hourOf(oldest))
      }
      begun = true
      if (entity !== null) {
        await lookAtMatched(entity)
        return false
      }
      return lookAtLedger()
    },
  }
}

type SettingsChange = ReturnType<typeof settingsChange>

/** Whose fault it is that something is left out: the groups where they are others, else the selector. */
const reasonOf = (before: KnownOwner, after: KnownOwner): 'groups' | 'selector' =>
  before.reader.key === after.reader.key ? 'selector' : 'groups'

const SETTINGS_OF = 'settings of '
const BEGUN_BY = 'begun by '

/**
 * Keeps the owners as their settings say, and brings what was told to them. Which settings that is so for is noted in the
 * store, and by which others something may have been told since: what was interrupted is done again.
 */
export function settingsFollower(context: MatchContext, notes: ReadonlyMap<string, string>) {
  const { ports, owners, options } = context
  const applied = new Map<string, OwnerSettings>()
  for (const [name, text] of notes) {
    const settings = name.startsWith(SETTINGS_OF) ? readSettings(Buffer.from(text)) : null
    if (settings !== null) applied.set(settings.owner, settings)
  }
  /** Settings that were followed since, oldest first, and may have been replaced before all was brought to them. */
  const begun = new Map<string, OwnerSettings[]>()
  for (const [name, text] of notes) {
    if (!name.startsWith(BEGUN_BY) || text === '') continue
    const owner = name.slice(BEGUN_BY.length)
    const read = (JSON.parse(text) as string[]).map((one) => readSettings(Buffer.from(one)))
    const since = applied.get(owner)?.revision ?? 0
    begun.set(
      owner,
      read.filter((one) => one !== null && one.revision > since).map((one) => one!),
    )
  }
  const waiting = new Map<string, SettingsChange>()
  /** Of owners that ended. */
  const forgotten = new Set<string>()

  const note = (name: string, text: string): Promise<void> =>
    ports.store.putNote(name, text, context.newVersion(), options.now())

  async function put(settings: OwnerSettings): Promise<void> {
    const { owner, revision } = settings
    if (owners.get(owner)?.settings === settings) return
    const former = applied.get(owner)
    if (former?.revision === revision) return void owners.put(settings)
    const others = (begun.get(owner) ?? []).filter((one) => one.revision !== revision)
    if (former === undefined && others.length === 0 && (await ports.store.values(owner, 0, null, 1)).length === 0) {
      await note(SETTINGS_OF + owner, writeSettings(settings).toString())
      applied.set(owner, settings)
      return void owners.put(settings)
    }
    const those = [...others, settings]
    await note(BEGUN_BY + owner, JSON.stringify(those.map((one) => writeSettings(one).toString())))
    begun.set(owner, those)
    waiting.set(
      owner,
      settingsChange(context, owners.put(settings), former === undefined ? others : [former, ...others]),
    )
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
    applied.delete(owner)
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
      applied.set(owner, settings)
      begun.delete(owner)
      // Last, so that it is noted for good.
      waiting.delete(owner)
      options.report({ kind: 'settings', owner, took: options.now() - began })
    },
  }
}

export type SettingsFollower = ReturnType<typeof settingsFollower>
