import { randomUUIDv7 } from 'node:crypto'
import type { HeldBefore, ObservationStore, Reported, RetractionStore } from '../../connectors/history/port.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import type { Observation } from '../../schemas/intelligence/observations/observation.ts'
import type { Claim, EntityState } from '../../schemas/intelligence/state/entity-state.ts'
import { OBSERVATIONS } from '../../schemas/log/topics.ts'
import { touchesWindow } from '../processors/intelligence/retract.ts'
import { endOffsets, lagOf } from '../runtime/lag.ts'
import { retractionRecord, type TimeWindow } from './record.ts'

export type RetractPorts = {
  log: Pick<EventLog, 'send' | 'offsets' | 'committed'>
  store: RetractionStore & Pick<ObservationStore, 'rowsOf' | 'groupsOf'>
  encode: (observation: Observation) => Buffer
}

export type RetractOptions = TimeWindow & {
  source: string
  reason: string | null
  dryRun: boolean
  /** A repeat refreshes a claim for this long after the record that it repeats, and leaves none itself. */
  dedupeWindow: number
  now: () => number
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
  onProgress: (done: RetractResult) => void
}

/** Of (entity, audience) pairs: found in the window, taken back now, taken back before; and scores that changed. */
export type RetractResult = { found: number; sent: number; before: number; changed: number }

const PAGE = 2_000
const GROUP = 'observe'
const LOOK_MS = 200
/** Records that nobody applies for this long wait for jobs that do not run. */
const STALLED_MS = 60_000

type PendingRetraction = { reported: Reported; claim: Claim; row: EntityState }

const place = ({ entityId, audience }: { entityId: string; audience: bigint }): string => `${entityId} ${audience}`

/**
 * Takes back what a source said in a window: finds what it reported by the history, a page at a time, puts a record for
 * each entity and audience on the log, and waits until those of a page are applied. What was taken back before is left
 * out, so the same again goes on where an interrupted run stopped.
 * @throws Error when the jobs do not apply the records, and the reason of `signal`
 */
export async function runRetraction(ports: RetractPorts, options: RetractOptions): Promise<RetractResult> {
  const { store } = ports
  const { source, from, to, signal } = options
  const run = randomUUIDv7()
  const result: RetractResult = { found: 0, sent: 0, before: 0, changed: 0 }

  for (let after = { entityId: '', audience: 0n }; ; ) {
    signal.throwIfAborted()
    const question = { source, since: from - options.dedupeWindow, from, to, after }
    const page = await store.reported(question, PAGE)
    const todo = await leftToDo(page)
    if (todo.length > 0 && !options.dryRun) {
      await send(todo)
      await waitUntilApplied()
      result.changed += await countChanged(todo)
    }
    result.sent += todo.length
    options.onProgress({ ...result })
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return result
    after = last
  }

  async function leftToDo(page: readonly Reported[]): Promise<PendingRetraction[]> {
    const ids = [...new Set(page.map((r) => r.entityId))]
    if (ids.length === 0) return []
    const rows = new Map((await store.rowsOf(ids)).map((row) => [place(row), row]))
    const done = (await store.retracted(source, ids)).filter((r) => r.from <= from && r.to >= to)
    const taken = new Set(done.map(place))
    return page.flatMap((reported): PendingRetraction[] => {
      const row = rows.get(place(reported))
      const claim = row?.claims.find((c) => c.source === source)
      const touches = claim !== undefined && touchesWindow(claim, { from, to })
      if (!reported.inside && !touches) return []
      result.found++
      if (row !== undefined && claim !== undefined && (touches || !taken.has(place(reported))))
        return [{ reported, claim, row }]
      result.before++
      return []
    })
  }

  async function send(todo: readonly PendingRetraction[]): Promise<void> {
    const held = await findHeld(todo)
    const groups = await store.groupsOf([...new Set(todo.map(({ reported }) => reported.audience))])
    const now = options.now()
    const messages = todo.map(({ reported, claim }) => {
      const audience = groups.get(reported.audience)
      if (audience === undefined) throw new Error(`the groups of the audience ${reported.audience} are not stored`)
      const before = held.get(place(reported)) ?? null
      const record = retractionRecord(reported, audience, claim, { from, to }, before, { run, now })
      const headers = options.reason === null ? {} : { headers: { reason: options.reason } }
      return { key: record.entityId, value: ports.encode(record), timestamp: now, ...headers }
    })
    await ports.log.send([{ topic: OBSERVATIONS, messages }])
  }

  /** Of the few of which something was taken back before, what counts is looked up one by one. */
  async function findHeld(todo: readonly PendingRetraction[]): Promise<Map<string, HeldBefore>> {
    const ids = [...new Set(todo.map(({ reported }) => reported.entityId))]
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

  async function waitUntilApplied(): Promise<void> {
    const ends = await endOffsets(ports.log, OBSERVATIONS)
    let left = Number.POSITIVE_INFINITY
    for (let since = options.now(); ; ) {
      const now = await lagOf(ports.log, GROUP, OBSERVATIONS, ends)
      if (now === 0) return
      if (now < left) since = options.now()
      left = now
      if (options.now() - since > STALLED_MS)
        throw new Error(
          `${left} records are waiting in the log and no job processes them; check that the platform is running`,
        )
      await options.pause(LOOK_MS, signal)
      signal.throwIfAborted()
    }
  }

  async function countChanged(todo: readonly PendingRetraction[]): Promise<number> {
    const ids = [...new Set(todo.map(({ reported }) => reported.entityId))]
    const rows = new Map((await store.rowsOf(ids)).map((row) => [place(row), row]))
    return todo.filter(({ row }) => {
      const after = rows.get(place(row))
      return after?.reputation !== row.reputation || after.accuracy !== row.accuracy
    }).length
  }
}
