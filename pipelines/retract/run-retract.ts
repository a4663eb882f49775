import { randomUUIDv7 } from 'node:crypto'
import type { HeldBefore, Reported } from '../../connectors/history/port.ts'
import type { RetractPlace, RetractResult } from '../../connectors/operations/retractions/port.ts'
import { OBSERVATIONS } from '../../schemas/log/topics.ts'
import { touchesWindow } from '../processors/intelligence/retract.ts'
import { appliedOf, countChanged, untilApplied } from './applied.ts'
import {
  FROM_THE_START,
  idsOf,
  NOTHING_DONE,
  type PageOptions,
  type PendingRetraction,
  place,
  type RetractOptions,
  type RetractPorts,
} from './ports.ts'
import { rowsNow } from './retracted-rows.ts'
import { retractionRecord } from './retraction-record.ts'

/**
 * Puts a record for each pair on the log.
 * @param run shared by all records of a page
 * @returns the time of the records, unix milliseconds
 */
async function sendRetractions(
  { log, store, encode }: RetractPorts,
  options: PageOptions,
  run: string,
  todo: readonly PendingRetraction[],
): Promise<number> {
  const { source, from, to, reason } = options
  const held = await heldBefore(
    store,
    options,
    todo.filter(({ claim }) => claim !== null),
  )
  const groups = await store.groupsOf([...new Set(todo.map(({ reported }) => reported.audience))])
  const now = options.now()
  const messages = todo.map(({ reported, claim, described }) => {
    const audience = groups.get(reported.audience)
    if (audience === undefined) throw new Error(`the groups of the audience ${reported.audience} are not stored`)
    const parts = { claim, held: held.get(place(reported)) ?? null, described }
    const record = retractionRecord(reported, audience, source, parts, { from, to }, { run, now })
    const headers = reason === null ? {} : { headers: { reason } }
    return { key: record.entityId, value: encode(record), timestamp: now, ...headers }
  })
  await log.send([{ topic: OBSERVATIONS, messages }])
  return now
}

/** What the source held before the window, and still holds where other windows were taken back. */
async function heldBefore(
  store: RetractPorts['store'],
  { source, from, now, signal }: PageOptions,
  todo: readonly PendingRetraction[],
): Promise<Map<string, HeldBefore>> {
  const ids = idsOf(todo.map(({ reported }) => reported))
  if (ids.length === 0) return new Map()
  const held = new Map((await store.held(source, from, ids)).map((h) => [place(h), h]))
  const partly = new Set((await store.retracted(source, ids)).map(place))
  for (const { reported } of todo) {
    if (!partly.has(place(reported)) || !held.has(place(reported))) continue
    signal.throwIfAborted()
    const still = await store.heldStill(source, from, reported, now())
    if (still === null) held.delete(place(reported))
    else held.set(place(reported), still)
  }
  return held
}

const PAGE = 2_000

/** Records have times after it; the job refuses a window that begins before. Unix milliseconds. */
const FIRST_MOMENT = 1

/** Looks at what descriptions are left, after the first: a row that changed meanwhile keeps them until the next one. */
const MOST_LOOKS = 10

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

/**
 * The same of one page, at most 2,000 pairs: finds what the source reported by the history, puts a record for each entity
 * and audience on the log, and waits until those are applied.
 * @param result what was done is added to it
 * @returns where the next page begins; null: there is none
 */
export async function retractPage(
  ports: RetractPorts,
  given: PageOptions,
  after: RetractPlace,
  result: RetractResult,
): Promise<RetractPlace | null> {
  const options = { ...given, from: Math.max(FIRST_MOMENT, given.from) }
  const { source, from, to, signal } = options
  signal.throwIfAborted()
  const only = options.entityIds === undefined ? {} : { entityIds: options.entityIds }
  const question = { source, since: from - options.dedupeWindow, from, to, after, ...only }
  const page = await ports.store.reported(question, PAGE)
  await retractPairs(ports, options, page, result)
  const last = page.at(-1)
  return last === undefined || page.length < PAGE ? null : { entityId: last.entityId, audience: last.audience }
}

/**
 * Takes back what the source said in the window of these entities to these audiences, and waits until that is applied.
 * @param given its window begins at 1 at the earliest
 * @param page at most 2,000 pairs
 * @param result what was done is added to it
 * @returns pairs that the jobs refused, as `place` has them
 * @throws RetractionPending when the jobs do not apply the records in time, and the reason of `signal`
 */
export async function retractPairs(
  ports: RetractPorts,
  options: PageOptions,
  page: readonly Reported[],
  result: RetractResult,
): Promise<ReadonlySet<string>> {
  const { log, store } = ports
  const { source, from, to } = options
  const rows = rowsNow(ports, options)
  const run = randomUUIDv7()
  const todo = await leftToDo(page)
  if (options.dryRun) result.retracted += todo.length
  else if (todo.length > 0) return takeBack(todo)
  return new Set()

  async function leftToDo(page: readonly Reported[]): Promise<PendingRetraction[]> {
    const ids = idsOf(page)
    if (ids.length === 0) return []
    const known = await rows.of(ids)
    const done = (await store.retracted(source, ids)).filter((r) => r.from <= from && r.to >= to)
    const taken = new Set(done.map(place))
    const undescribed = await rows.undescribed([...known.values()])
    return page.flatMap((reported): PendingRetraction[] => {
      const at = place(reported)
      const row = known.get(at)
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
  async function takeBack(todo: readonly PendingRetraction[]): Promise<ReadonlySet<string>> {
    const began = options.now()
    const sentAt = await sendRetractions(ports, options, run, todo)
    await untilApplied(log, options, began)
    const applied = await appliedOf(store, options, rows, todo, sentAt)
    result.refused += todo.length - applied.length
    result.changed += await countChanged(rows, applied)
    let left = await stillDescribed(applied)
    for (let looks = 0; left.length > 0 && looks < MOST_LOOKS; looks++) {
      await sendRetractions(ports, options, run, left)
      await untilApplied(log, options, began)
      left = await stillDescribed(left)
    }
    const alone = new Set(todo.filter(({ claim }) => claim === null).map(({ reported }) => place(reported)))
    result.retracted += applied.length - left.filter(({ reported }) => alone.has(place(reported))).length
    result.left += left.length
    const taken = new Set(applied)
    return new Set(todo.filter((one) => !taken.has(one)).map(({ reported }) => place(reported)))
  }

  async function stillDescribed(todo: readonly PendingRetraction[]): Promise<PendingRetraction[]> {
    const known = await rows.of(idsOf(todo.map(({ reported }) => reported)))
    const undescribed = await rows.undescribed([...known.values()])
    return todo.flatMap(({ reported }): PendingRetraction[] => {
      const [row, described] = [known.get(place(reported)), undescribed.get(place(reported))]
      return row === undefined || described === undefined ? [] : [{ reported, claim: null, described, row }]
    })
  }
}
