import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { type ChangeReason, viewChange } from '../../../schemas/intelligence/state/view-change.ts'
import type { MatchedEntity } from '../../../schemas/match/match.ts'
import type { Reader } from '../../processors/casework/watched.ts'
import { type WideMemory, wideMemory } from '../../processors/casework/wide-memory.ts'
import { type IndexStep, indexSteps } from '../../processors/match/index-steps.ts'
import type { KnownOwner } from '../../processors/match/known-owners.ts'
import type { PresentViews } from '../../processors/match/views.ts'
import { type MatchContext, matchedEntity, presentOf } from './match-context.ts'
import { tellRetro } from './retro-matches.ts'
import { restoreMatches, withdrawMatches } from './withdraw.ts'

type Owners = readonly KnownOwner[]

/**
 * Owners that read the same of a change may read different rows of those that are stored now, where later changes brought
 * others: told apart by these. The same owners are the same list, so that entities are looked at together.
 */
export function sameReaders(
  present: Pick<PresentViews, 'audiencesOf'>,
): (owners: Owners, id: string) => readonly Owners[] {
  const known = new Map<Owners, Map<string, readonly Owners[]>>()
  return (owners, entityId) => {
    if (owners.length < 2) return [owners]
    const audiences = present.audiencesOf(entityId)
    const key = audiences.map((groups) => groups.join('\n')).join('\n\n')
    const those = known.get(owners) ?? new Map<string, readonly Owners[]>()
    known.set(owners, those)
    const found = those.get(key) ?? toldApart(owners, audiences)
    those.set(key, found)
    return found
  }
}

function toldApart(owners: Owners, audiences: readonly (readonly string[])[]): readonly Owners[] {
  const found = Map.groupBy(owners, ({ reader }) =>
    audiences.map((groups) => (reader.reads(groups) ? '1' : '0')).join(''),
  )
  return found.size < 2 ? [owners] : [...found.values()]
}

/** A change, the partition of its topic that had it, and when it was logged, unix milliseconds. */
export type TimedChange = { change: Change; from: number; time: number }

export type ChangesStep = { entered: number; left: number; retro: number }

const NOTHING: ChangesStep = { entered: 0, left: 0, retro: 0 }

/**
 * Brings indexes and what was told to where these changes led: what entered an index meets the ledger, and what left it by
 * anything but time takes its matches along (decisions 14.3). Rows of the changes are stored already. What is there now
 * decides: a change that was overtaken by another one does nothing, so that it may be looked at twice.
 */
export function changeStepper(context: MatchContext) {
  const memory = wideMemory()

  return async (changes: readonly TimedChange[]): Promise<ChangesStep> => {
    const { owners } = context
    const fresh = changes.filter((one) => isNew(context, one))
    if (fresh.length === 0 || owners.size() === 0) return NOTHING
    try {
      return await look(fresh)
    } catch (error) {
      memory.drop()
      throw error
    }
  }

  async function look(fresh: readonly TimedChange[]): Promise<ChangesStep> {
    const { owners, options } = context
    const { rules } = await context.ports.live()
    // What changes carry no claims of is read once for all of them: their rows are stored.
    const wide = new Set(fresh.filter(({ change }) => change.wide).map(({ change }) => change.entityId))
    const present = await presentOf(context, [...wide])
    const steps: IndexStep[] = []
    for (const { change, time } of fresh) {
      addToIndex(context, change)
      if (!change.wide) memory.forget(change.entityId)
      for (const reader of owners.readers.classesOf(change.rows)) {
        const seen = viewChange(change, reader.reads, rules)
        if (seen === null) continue
        const looked = seen === 'wide' ? lookAtWide(present, memory, change, reader) : seen
        if (looked !== null) indexSteps(change, reader, looked, time, owners, (step) => steps.push(step))
      }
    }
    const step = await bring(context, steps, options.now())
    memory.keep()
    for (const one of fresh) note(context, one)
    return step
  }
}

/** Changes of one partition of the observations come in order within one of the changes, and may come by several. */
const placeOf = ({ from, change }: TimedChange): string => `${from} ${change.partition}`

const isNew = ({ applied }: MatchContext, one: TimedChange): boolean =>
  one.change.offset >= (applied.get(placeOf(one)) ?? 0)

function note({ applied }: MatchContext, one: TimedChange): void {
  const place = placeOf(one)
  applied.set(place, Math.max(applied.get(place) ?? 0, one.change.offset + 1))
}

/** Whatever any row of it shows may be an indicator to somebody. */
function addToIndex({ index }: MatchContext, { type, value, rows }: Change): void {
  if (rows.some(({ after }) => after.reputation <= index.bound)) index.indicators.add(type, value)
}

function lookAtWide(present: PresentViews, memory: WideMemory, change: Change, reader: Reader) {
  const after = present.viewOf(change.entityId, reader)
  return after === null ? null : memory.take(change, reader, after)
}

/** The last step of each entity for the same owners: what was overtaken has no part in it. */
function lastSteps(steps: readonly IndexStep[]): IndexStep[] {
  const last = new Map<readonly KnownOwner[], Map<string, IndexStep>>()
  for (const step of steps) {
    const those = last.get(step.owners) ?? new Map<string, IndexStep>()
    last.set(step.owners, those.set(step.entityId, step))
  }
  return [...last.values()].flatMap((those) => [...those.values()])
}

async function bring(context: MatchContext, all: readonly IndexStep[], now: number): Promise<ChangesStep> {
  const steps = lastSteps(all)
  if (steps.length === 0) return NOTHING
  const present = await presentOf(context, [...new Set(steps.map(({ entityId }) => entityId))])
  const sum = { entered: 0, left: 0, retro: 0 }
  const alike = sameReaders(present)
  const apart = steps.flatMap((step) => alike(step.owners, step.entityId).map((owners) => ({ ...step, owners })))
  for (const [owners, those] of Map.groupBy(apart, (step) => step.owners)) {
    const entities = enteredNow(those, owners, present, now)
    sum.entered += entities.length
    if (entities.length > 0) {
      const ids = entities.map(({ id }) => id)
      await restoreMatches(context, owners, ids)
      sum.retro += await tellRetro(context, owners, entities)
    }
    const left = leftNow(those, owners, present, now)
    sum.left += left.size
    await withdrawMatches(context, owners, left)
  }
  return sum
}

/** The owners read the same of what is stored of these entities, so the view of one is that of all. */
function viewNow(owners: readonly KnownOwner[], entityId: string, present: PresentViews, now: number) {
  const { reader, selector } = owners[0]!
  const view = present.viewOf(entityId, reader)
  return view !== null && selector.holds(view, now) ? view : null
}

function enteredNow(
  steps: readonly IndexStep[],
  owners: readonly KnownOwner[],
  present: PresentViews,
  now: number,
): MatchedEntity[] {
  return steps.flatMap(({ does, entityId }) => {
    const view = does === 'enter' ? viewNow(owners, entityId, present, now) : null
    return view === null ? [] : [matchedEntity(entityId, view)]
  })
}

function leftNow(
  steps: readonly IndexStep[],
  owners: readonly KnownOwner[],
  present: PresentViews,
  now: number,
): Map<string, ChangeReason> {
  const left = new Map<string, ChangeReason>()
  for (const { does, entityId, reason } of steps)
    if (does === 'leave' && viewNow(owners, entityId, present, now) === null) left.set(entityId, reason)
  return left
}
