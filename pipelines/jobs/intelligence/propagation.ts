import type { PropagationStore } from '../../../connectors/history/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { TypedValue } from '../../../schemas/intelligence/propagation/coverage.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { coveredRecord } from '../../processors/intelligence/covered-record.ts'
import { knownMarks } from '../../runtime/known-marks.ts'

/** When a new mark is looked under again: other processes may not have known it when they stored something. */
const AGAIN_MS = 30_000
/** Entities that wait to be told of, at most; past it everything is looked for again instead. */
const MAX_PENDING = 50_000
const PAGE = 5_000
/** Marks of one question: each network is a few numbers, each domain a text that is searched for (255 at most). */
const MARKS_A_QUESTION = { cidr: 2_000, domain: 200 } as const

type Due = { mark: TypedValue; at: number }

const nameOf = ({ type, value }: TypedValue): TypedValue => ({ type, value })

export type PropagationPorts = {
  log: Pick<EventLog, 'send'>
  store: PropagationStore
  encode: (observation: Observation) => Buffer
}

export type PropagationTurn = {
  /** Entities told to be covered. */
  sent: number
  /** Marks that were looked under. */
  swept: number
  /** Whether there are more marks than this process can know. */
  full: boolean
}

/**
 * Covering marks + rows with a negative reputation -> `covered` records on entity.observations (ADR 105)
 *
 * Every process that stores rows has one of its own, shows it what it stored, and gives it a turn every few seconds. A
 * record too many changes nothing, so processes need not agree; what a process that died still had to tell is found by
 * the first turn of the next one, which looks under every mark.
 */
export function propagationJob(ports: PropagationPorts, options: { now: () => number; signal: AbortSignal }) {
  const marks = knownMarks(ports.store)
  const pending = new Map<string, { entity: TypedValue; mark: TypedValue }>()
  /** When marks are to be looked under: the first time, and once more. */
  const due = { first: new Map<string, Due>(), again: new Map<string, Due>() }
  let started = false
  let everything = false

  const sweep = (when: keyof typeof due, mark: TypedValue, at: number): void =>
    void due[when].set(`${mark.type} ${mark.value}`, { mark: nameOf(mark), at })

  async function sendCovered(found: readonly { entity: TypedValue; mark: TypedValue }[]): Promise<void> {
    const messages = found.map(({ entity, mark }) => {
      const observation = coveredRecord(entity, mark, options.now())
      return { key: observation.entityId, value: ports.encode(observation), timestamp: observation.observedAt }
    })
    if (messages.length > 0) await ports.log.send([{ topic: OBSERVATIONS, messages }])
  }

  async function sendPending(): Promise<number> {
    const found = [...pending]
    for (let at = 0; at < found.length; at += PAGE) {
      const some = found.slice(at, at + PAGE)
      await sendCovered(some.map(([, entry]) => entry))
      for (const [id] of some) pending.delete(id)
    }
    return found.length
  }

  /** Looks for what lies under these marks, all of one type, page by page. */
  async function sweepUnder(some: readonly TypedValue[]): Promise<number> {
    let sent = 0
    for (let after: bigint | null = 0n; after !== null; ) {
      options.signal.throwIfAborted()
      const page = await ports.store.page(some, after, PAGE, options.signal)
      const found = page.entities.flatMap((entity) => {
        const mark = marks.over(entity)
        return mark === null ? [] : [{ entity, mark }]
      })
      await sendCovered(found)
      // A report that came meanwhile does not wait for the end of the table.
      sent += found.length + (await sendPending())
      after = page.next
    }
    return sent
  }

  async function sweepDue(): Promise<{ sent: number; swept: number }> {
    const now = options.now()
    const ready = [due.first, due.again].flatMap((map) => [...map].filter(([, { at }]) => at <= now))
    let sent = 0
    for (const type of ['cidr', 'domain'] as const) {
      const those = ready.filter(([, { mark }]) => mark.type === type)
      for (let at = 0; at < those.length; at += MARKS_A_QUESTION[type]) {
        const some = those.slice(at, at + MARKS_A_QUESTION[type])
        sent += await sweepUnder(some.map(([, { mark }]) => mark))
        // What failed before this line stays due.
        for (const [id, entry] of some)
          for (const map of [due.first, due.again]) if (map.get(id) === entry) map.delete(id)
      }
    }
    return { sent, swept: ready.length }
  }

  return {
    /** Rows that were stored just now. Cheap: most rows are not negative, and often there is no mark. Never throws. */
    stored(rows: readonly EntityState[]): void {
      for (const row of rows) {
        if (row.covers && marks.add(row)) {
          sweep('first', row, options.now())
          sweep('again', row, options.now() + AGAIN_MS)
        }
      }
      for (const row of rows) {
        if (row.reputation >= 0) continue
        const mark = marks.over(row)
        if (mark === null) continue
        if (pending.size < MAX_PENDING) pending.set(row.entityId, { entity: nameOf(row), mark })
        else everything = true
      }
    },

    /** @throws what log and store throw, and the reason of `signal`: what was not done is due in the next turn */
    async turn(): Promise<PropagationTurn> {
      const now = options.now()
      for (const mark of await marks.read()) sweep('first', mark, started ? now + AGAIN_MS : now)
      started = true
      const waiting = await sendPending()
      if (everything) for (const mark of marks.all()) sweep('first', mark, now)
      everything = false
      const { sent, swept } = await sweepDue()
      return { sent: waiting + sent, swept, full: marks.full() }
    },
  }
}

export type PropagationJob = ReturnType<typeof propagationJob>
