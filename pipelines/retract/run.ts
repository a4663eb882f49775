import { randomUUIDv7 } from 'node:crypto'
import type { HeldBefore, ObservationStore, Reported, RetractionStore } from '../../connectors/history/port.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import { RetractionPending } from '../../connectors/operations/retractions/port.ts'
import type { Observation, Undescribed } from '../../schemas/intelligence/observations/observation.ts'
import type { Claim, EntityState } from '../../schemas/intelligence/state/entity-state.ts'
import { OBSERVATIONS } from '../../schemas/log/topics.ts'
import { touchesWindow } from '../processors/intelligence/retract.ts'
import { endOffsets, lagOf } from '../runtime/lag.ts'
import { retractionRecord, type TimeWindow } from './record.ts'
import { undescribedOf } from './undescribed.ts'

export type RetractPorts = {
  log: Pick<EventLog, 'send' | 'offsets' | 'committed'>
  store: RetractionStore & Pick<ObservationStore, 'rowsOf' | 'groupsOf'>
  encode: (observation: Observation) => Buffer
}

/** For how long the jobs are waited for, in milliseconds: without any progress, and for one page at most. */
export type Patience = { stalledMs: number; mostMs: number }

export type RetractOptions = TimeWindow & {
  source: string
  reason: string | null
  dryRun: boolean
  /** A repeat refreshes a claim for this long after the record that it repeats, and leaves none itself. */
  dedupeWindow: number
  patience: Patience
  now: () => number
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
  onProgress: (done: RetractResult) => void
}

/** Of (entity, audience) pairs. */
export type RetractResult = {
  /** Reported in the window. */
  found: number
  /** Taken back now; of a dry run: what would be. */
  retracted: number
  /** Sent, and refused by the jobs: nothing changed. */
  refused: number
  /** Taken back before. */
  before: number
  /** Scores that changed. */
  changed: number
  /** Kept a tag or attribute, as they were reported again all the while. */
  left: number
}

export const NOTHING_DONE: RetractResult = { found: 0, retracted: 0, refused: 0, before: 0, changed: 0, left: 0 }

const PAGE = 2_000
const GROUP = 'observe'
const LOOK_MS = 200

/** Records have times after it; the job refuses a window that begins before. Unix milliseconds. */
const FIRST_MOMENT = 1

/** Looks at what descriptions are left, after the first: a row that changed meanwhile keeps them until the next one. */
const MOST_LOOKS = 10

type PendingRetraction = { reported: Reported; claim: Claim | null; described: Undescribed | null; row: EntityState }

const place = ({ entityId, audience }: { entityId: string; audience: bigint }): string => `${entityId} ${audience}`

const idsOf = (of: readonly { entityId: string }[]): string[] => [...new Set(of.map(({ entityId }) => entityId))]

/**
 * Takes back what a source said in a window, and what of tags and attributes no other report gives, page by page. What was
 * taken back before is left out, so the same again goes on where an interrupted run stopped.
 * @throws RetractionPending when the jobs do not apply the records in time, and the reason of `signal`
 */
export async function runRetraction(ports: RetractPorts, options: RetractOptions): Promise<RetractResult> {
  const result = { ...NOTHING_DONE }
  for (let after: RetractPlace | null = FROM_THE_START; after !== null; ) {
    after = await retractPage(ports, options, after, result)
    options.onProgress({ ...result })
  }
  return result
}

/** Where a page begins: behind this entity and audience. */
export type RetractPlace = { entityId: string; audience: bigint }

export const FROM_THE_START: RetractPlace = { entityId: '', audience: 0n }

/**
 * The same of one page, at most 2,000 pairs: finds what the source reported by the history, puts a record for each entity
 * and audience on the log, and waits until those are applied.
 * @param result what was done is added to it
 * @returns where the next page begins; null: there is none
 */
export async function retractPage(
  ports: RetractPorts,
  options: Omit<RetractOptions, 'onProgress'>,
  after: RetractPlace,
  result: RetractResult,
): Promise<RetractPlace | null> {
  const { store } = ports
  const { source, to, signal } = options
  const from = Math.max(FIRST_MOMENT, options.from)
  const run = randomUUIDv7()

  signal.throwIfAborted()
  const question = { source, since: from - options.dedupeWindow, from, to, after }
  const page = await store.reported(question, PAGE)
  const todo = await leftToDo(page)
  if (options.dryRun) result.retracted += todo.length
  else if (todo.length > 0) await takeBack(todo)
  const last = page.at(-1)
  return last === undefined || page.length < PAGE ? null : { entityId: last.entityId, audience: last.audience }

  async function leftToDo(page: readonly Reported[]): Promise<PendingRetraction[]> {
    const ids = idsOf(page)
    if (ids.length === 0) return []
    const rows = await rowsOf(ids)
    const done = (await store.retracted(source, ids)).filter((r) => r.from <= from && r.to >= to)
    const taken = new Set(done.map(place))
    const undescribed = await undescribedOfRows([...rows.values()])
    return page.flatMap((reported): PendingRetraction[] => {
      const at = place(reported)
      const row = rows.get(at)
      const claim = row?.claims.find((c) => c.source === source)
      const touches = claim !== undefined && touchesWindow(claim, { from, to })
      if (!reported.inside && !touches) return []
      result.found++
      const described = undescribed.get(at) ?? null
      const takes = claim !== undefined && (touches || !taken.has(at))
      if (row !== undefined && (takes || described !== null))
        return [{ reported, claim: takes ? claim : null, described, row }]
      result.before++
      return []
    })
  }

  /**
   * Sends the records and waits until they are applied. What a row kept, as something came between the look at it and the
   * record, is taken by another record: no report that came between loses what it gave.
   */
  async function takeBack(todo: readonly PendingRetraction[]): Promise<void> {
    const began = options.now()
    const sentAt = await send(todo)
    await waitUntilApplied(began)
    const applied = await appliedOf(todo, sentAt)
    result.refused += todo.length - applied.length
    result.changed += await countChanged(applied)
    let left = await stillDescribed(applied)
    for (let looks = 0; left.length > 0 && looks < MOST_LOOKS; looks++) {
      await send(left)
      await waitUntilApplied(began)
      left = await stillDescribed(left)
    }
    const alone = new Set(todo.filter(({ claim }) => claim === null).map(({ reported }) => place(reported)))
    result.retracted += applied.length - left.filter(({ reported }) => alone.has(place(reported))).length
    result.left += left.length
  }

  /** Without those whose claim stands as it did, while no retraction of it is stored: the jobs refused their records. */
  async function appliedOf(todo: readonly PendingRetraction[], sentAt: number): Promise<PendingRetraction[]> {
    const ids = idsOf(todo.map(({ reported }) => reported))
    const rows = await rowsOf(ids)
    const stored = new Set((await store.retracted(source, ids)).filter(({ at }) => at >= sentAt).map(place))
    return todo.filter(({ reported, claim }) => {
      if (claim === null || stored.has(place(reported))) return true
      const left = rows.get(place(reported))?.claims.find((c) => c.source === source)
      return left === undefined || !touchesWindow(left, { from, to })
    })
  }

  async function stillDescribed(todo: readonly PendingRetraction[]): Promise<PendingRetraction[]> {
    const rows = await rowsOf(idsOf(todo.map(({ reported }) => reported)))
    const undescribed = await undescribedOfRows([...rows.values()])
    return todo.flatMap(({ reported }): PendingRetraction[] => {
      const [row, described] = [rows.get(place(reported)), undescribed.get(place(reported))]
      return row === undefined || described === undefined ? [] : [{ reported, claim: null, described, row }]
    })
  }

  async function rowsOf(ids: readonly string[]): Promise<Map<string, EntityState>> {
    return new Map((await store.rowsOf(ids)).map((row) => [place(row), row]))
  }

  /** What rows are to lose, by the place of each that loses something. Their records are in the store before they are. */
  async function undescribedOfRows(rows: readonly EntityState[]): Promise<Map<string, Undescribed>> {
    const some = rows.filter(({ tags, attributes }) => tags.length > 0 || Object.keys(attributes).length > 0)
    const described = await store.described({ source, from, to, entityIds: idsOf(some) })
    const byPlace = new Map(described.map((found) => [place(found), found]))
    const found = new Map<string, Undescribed>()
    for (const row of some) {
      const of = byPlace.get(place(row))
      const undescribed = of === undefined ? null : undescribedOf(row, of, options.dedupeWindow)
      if (undescribed !== null) found.set(place(row), undescribed)
    }
    return found
  }

  /** @returns the time of the records, unix milliseconds */
  async function send(todo: readonly PendingRetraction[]): Promise<number> {
    const held = await findHeld(todo.filter(({ claim }) => claim !== null))
    const groups = await store.groupsOf([...new Set(todo.map(({ reported }) => reported.audience))])
    const now = options.now()
    const messages = todo.map(({ reported, claim, described }) => {
      const audience = groups.get(reported.audience)
      if (audience === undefined) throw new Error(`the groups of the audience ${reported.audience} are not stored`)
      const parts = { claim, held: held.get(place(reported)) ?? null, described }
      const record = retractionRecord(reported, audience, source, parts, { from, to }, { run, now })
      const headers = options.reason === null ? {} : { headers: { reason: options.reason } }
      return { key: record.entityId, value: ports.encode(record), timestamp: now, ...headers }
    })
    await ports.log.send([{ topic: OBSERVATIONS, messages }])
    return now
  }

  async function findHeld(todo: readonly PendingRetraction[]): Promise<Map<string, HeldBefore>> {
    const ids = idsOf(todo.map(({ reported }) => reported))
    if (ids.length === 0) return new Map()
    const held = new Map((await store.held(source, from, ids)).map((h) => [place(h), h]))
    const partly = new Set((await store.retracted(source, ids)).map(place))
    for (const { reported } of todo) {
      if (!partly.has(place(reported)) || !held.has(place(reported))) continue
      signal.throwIfAborted()
      const still = await store.heldStill(source, from, reported, options.now())
      if (still === null) held.delete(place(reported))
      else held.set(place(reported), still)
    }
    return held
  }

  async function waitUntilApplied(began: number): Promise<void> {
    const { stalledMs, mostMs } = options.patience
    const ends = await endOffsets(ports.log, OBSERVATIONS)
    let left = Number.POSITIVE_INFINITY
    for (let since = options.now(); ; ) {
      const now = await lagOf(ports.log, GROUP, OBSERVATIONS, ends)
      if (now === 0) return
      if (now < left) since = options.now()
      left = now
      if (options.now() - since > stalledMs || options.now() - began > mostMs) throw new RetractionPending(left)
      await options.pause(LOOK_MS, signal)
      signal.throwIfAborted()
    }
  }

  async function countChanged(todo: readonly PendingRetraction[]): Promise<number> {
    const rows = await rowsOf(idsOf(todo.map(({ reported }) => reported)))
    return todo.filter(({ row }) => {
      const after = rows.get(place(row))
      return after?.reputation !== row.reputation || after.accuracy !== row.accuracy
    }).length
  }
}
