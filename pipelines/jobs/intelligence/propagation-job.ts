import type { PropagationStore } from '../../../connectors/history/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { TypedValue } from '../../../schemas/intelligence/propagation/coverage.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { coveredRecord } from '../../processors/intelligence/marks/covered-record.ts'
import { knownMarks } from '../../runtime/known-marks.ts'

/** When a new mark is looked under again: other processes may not have known it when they stored something. */
const AGAIN_MS = 30_000
/** Maximum number of rows that are remembered as sent; further ones may be sent again, which changes nothing. */
const MAX_SENT_LATELY = 50_000
const PAGE = 5_000
/** Marks of one question: each network is a few numbers, each domain a text that is searched for (255 at most). */
const MARKS_A_QUESTION = { cidr: 2_000, domain: 200 } as const

/** A mark to look under: for what it covers, or, once it is cleared, for what it covered. */
type Due = { mark: TypedValue; holds: boolean; at: number }
type Found = { entity: TypedValue; mark: TypedValue }

const nameOf = ({ type, value }: TypedValue): TypedValue => ({ type, value })

/** What was sent for a row of an entity says nothing of a later row of another audience. */
const rowKey = ({ entityId, audience }: EntityState): string => `${entityId} ${audience}`

export type PropagationPorts = {
  log: Pick<EventLog, 'send'>
  store: PropagationStore
  encode: (observation: Observation) => Buffer
}

export type PropagationTurn = {
  /** Entities for which a record was sent since the last turn: that they are covered, or no more. */
  sent: number
  /** Marks that were looked under. */
  swept: number
  /** Whether there are more marks than this process can know. */
  full: boolean
}

/**
 * Covering marks + rows without the floor of one -> `covered` records on entity.observations (ADR 270)
 * Cleared marks + covered rows that no other mark covers -> `uncovered` records (ADR 270)
 * Every process that stores rows has its own job, and passes it the rows of a range before it commits the range: what
 * a process that died did not send, the next owner of the range sends. A turn every few seconds looks under new
 * marks, and under newly cleared ones; the first one under all of them. A row that was stored by what another process did
 * not know yet is corrected by whoever stores it next, or looks under its mark again. An additional record changes
 * nothing, so processes need not agree.
 */
export function propagationJob(ports: PropagationPorts, options: { now: () => number; signal: AbortSignal }) {
  const marks = knownMarks(ports.store)
  /** Rows whose record was sent since the last turn: while it waits to be applied, they are reported again. */
  const sentLately = { covered: new Set<string>(), uncovered: new Set<string>() }
  /** When marks are to be looked under: the first time, and once more. */
  const due = { first: new Map<string, Due>(), again: new Map<string, Due>() }
  let started = false
  let sentOfRanges = 0

  const sweep = (when: keyof typeof due, mark: TypedValue, holds: boolean, at: number): void =>
    void due[when].set(`${mark.type} ${mark.value}`, { mark: nameOf(mark), holds, at })

  async function send(kind: keyof typeof sentLately, found: readonly Found[]): Promise<void> {
    const messages = found.map(({ entity, mark }) => {
      const observation = coveredRecord(entity, mark, options.now(), kind)
      return { key: observation.entityId, value: ports.encode(observation), timestamp: observation.observedAt }
    })
    if (messages.length > 0) await ports.log.send([{ topic: OBSERVATIONS, messages }])
  }

  /** What the record about a stored row is, if it needs one: by the marks that this process knows. */
  function correctionOf(row: EntityState): { kind: keyof typeof sentLately; mark: TypedValue } | null {
    const mark = row.covered ? marks.noMoreOver(row) : marks.over(row)
    return mark === null ? null : { kind: row.covered ? 'uncovered' : 'covered', mark }
  }

  /** Looks for the entities under these marks, all of one type, page by page. */
  async function sweepUnder(some: readonly TypedValue[], holds: boolean): Promise<number> {
    let sent = 0
    for (let after: bigint | null = 0n; after !== null; ) {
      options.signal.throwIfAborted()
      const page = await ports.store.page(holds ? 'uncovered' : 'covered', some, after, PAGE, options.signal)
      const found = page.entities.flatMap((entity): Found[] => {
        const mark = holds ? marks.over(entity) : marks.noMoreOver(entity)
        return mark === null ? [] : [{ entity, mark }]
      })
      await send(holds ? 'covered' : 'uncovered', found)
      sent += found.length
      after = page.next
    }
    return sent
  }

  async function sweepDue(): Promise<{ sent: number; swept: number }> {
    const now = options.now()
    const ready = [due.first, due.again].flatMap((map) => [...map].filter(([, { at }]) => at <= now))
    let sent = 0
    for (const holds of [true, false])
      for (const type of ['cidr', 'domain'] as const) {
        const those = ready.filter(([, entry]) => entry.mark.type === type && entry.holds === holds)
        for (let at = 0; at < those.length; at += MARKS_A_QUESTION[type]) {
          const some = those.slice(at, at + MARKS_A_QUESTION[type])
          sent += await sweepUnder(
            some.map(([, { mark }]) => mark),
            holds,
          )
          // What failed before this line stays due.
          for (const [id, entry] of some)
            for (const map of [due.first, due.again]) if (map.get(id) === entry) map.delete(id)
        }
      }
    return { sent, swept: ready.length }
  }

  /** What was sent before does not follow from the marks as they are now. */
  function forgetSent(): void {
    sentLately.covered.clear()
    sentLately.uncovered.clear()
  }

  return {
    /** Whether a mark that this process knows is over the entity. */
    isCovered: (entity: TypedValue): boolean => marks.over(entity) !== null,

    /**
     * Whether `stored` is to be told of this row: of the others it takes no notice. One under a mark that comes later in
     * the same range is found with those that were there before the mark.
     */
    concerns: (row: EntityState): boolean => row.covers || row.cleared || correctionOf(row) !== null,

    /**
     * The rows of a range as they are stored now, before the range is committed. Cheap: few rows are under a mark, and
     * often there is no mark.
     * @throws what the log throws; the range is then delivered again
     */
    async stored(rows: readonly EntityState[]): Promise<void> {
      for (const row of rows) {
        if (!row.covers && !row.cleared) continue
        if (!marks.learn({ type: row.type, value: row.value, version: row.version, holds: row.covers })) continue
        sweep('first', row, row.covers, options.now())
        sweep('again', row, row.covers, options.now() + AGAIN_MS)
        forgetSent()
      }
      const found = { covered: new Map<string, Found>(), uncovered: new Map<string, Found>() }
      const of = { covered: new Set<string>(), uncovered: new Set<string>() }
      for (const row of rows) {
        const correction = correctionOf(row)
        if (correction === null) continue
        const { kind, mark } = correction
        const key = rowKey(row)
        if (sentLately[kind].has(key)) continue
        // One record is for all rows of its entity.
        found[kind].set(row.entityId, { entity: nameOf(row), mark })
        of[kind].add(key)
      }
      for (const kind of ['uncovered', 'covered'] as const) {
        await send(kind, [...found[kind].values()])
        sentOfRanges += found[kind].size
        for (const key of of[kind]) if (sentLately[kind].size < MAX_SENT_LATELY) sentLately[kind].add(key)
      }
    },

    /** @throws what log and store throw, and the reason of `signal`: what was not done is due in the next turn */
    async turn(): Promise<PropagationTurn> {
      const now = options.now()
      for (const { mark, holds } of await marks.read()) sweep('first', mark, holds, started ? now + AGAIN_MS : now)
      started = true
      const before = sentOfRanges
      sentOfRanges = 0
      forgetSent()
      const { sent, swept } = await sweepDue()
      return { sent: before + sent, swept, full: marks.full() }
    },

    /** When a turn is due, Unix milliseconds, by what this process has stored; null: by nothing of that. */
    nextAt(): number | null {
      if (sentOfRanges > 0) return 0
      const times = [due.first, due.again].flatMap((map) => [...map.values()].map(({ at }) => at))
      return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b))
    },
  }
}

export type PropagationJob = ReturnType<typeof propagationJob>
