import type { LiveStore } from '../../connectors/history/generations/port.ts'
import type { ShadowNotes } from '../../connectors/history/port.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import { CHANGES, OBSERVATIONS } from '../../schemas/log/topics.ts'
import { type ObservationPorts, observationJob } from '../jobs/intelligence/observations.ts'
import type { ObserveRules } from '../processors/intelligence/observe.ts'
import { PORTION } from '../runtime/job.ts'

/** Version of what catching up writes; part of its insert tokens. */
const NOTE = 'catch-up:v1'

export type Position = { partition: number; offset: number }
type BegunRange = { from: number; to: number }

export type CatchUpPorts = Omit<ObservationPorts, 'live'> & {
  notes: ShadowNotes
  shadow: LiveStore
  /** Unix milliseconds. */
  now: () => number
}

const positionName = (partition: number): string => `position ${partition}`
const begunName = (partition: number): string => `begun ${partition}`

/**
 * Brings a folded shadow on, batch by batch, by the job that feeds the live tables. A batch is noted before and after,
 * so that one that was cut by a crash is repeated exactly.
 * @param start where the fold ended
 */
export async function catchUp(ports: CatchUpPorts, rules: ObserveRules, start: readonly Position[]) {
  const { log, notes, shadow } = ports
  const noted = await notes.read()
  const at = new Map(start.map(({ partition, offset }) => [partition, offset]))
  for (const [partition, offset] of at) at.set(partition, Number(noted.get(positionName(partition)) ?? offset))
  const live = async (): Promise<LiveStore> => shadow
  const job = (send: EventLog['send']) =>
    observationJob({ ...ports, live, log: { ...log, send } }, rules, { now: ports.now, report: () => undefined })
  // What the log says already is not said again: dead letters were buried, changes told, when the records came. A job
  // is made anew with the mouth that it has; between the two nothing is remembered that the store does not know.
  const silent = job(async () => undefined)
  const publishing = job((batches) => log.send(batches.filter(({ topic }) => topic === CHANGES)))

  /** The range that was begun here and may be half stored, or the next one. */
  async function nextRange(partition: number, to: number): Promise<BegunRange & { again: boolean }> {
    const from = at.get(partition) ?? 0
    const begun = JSON.parse((await notes.read()).get(begunName(partition)) ?? 'null') as BegunRange | null
    return begun?.from === from ? { ...begun, again: true } : { from, to, again: false }
  }

  async function apply(partition: number, to: number, publish: boolean, signal: AbortSignal): Promise<void> {
    // One that was added since the fold is read from its start.
    if (!at.has(partition)) at.set(partition, Number(noted.get(positionName(partition)) ?? 0))
    let range = await nextRange(partition, to)
    while (at.get(partition)! < to || range.again) {
      signal.throwIfAborted()
      const messages = await log.read(OBSERVATIONS, partition, range.from, range.to, PORTION.maxRecords)
      const end = range.again ? range.to : (messages.at(-1)?.offset ?? range.to - 1) + 1
      if (!range.again) await notes.write(begunName(partition), JSON.stringify({ from: range.from, to: end }))
      if (messages.length > 0)
        // Telling twice is harmless; a range that reaches past the end may hold what nobody else tells.
        await (publish || end > to ? publishing : silent).eachBatch({
          topic: OBSERVATIONS,
          partition,
          messages,
          from: range.from,
          to: end,
          note: NOTE,
          redelivered: range.again,
          highWatermark: end,
          signal,
        })
      await notes.write(positionName(partition), String(end))
      at.set(partition, end)
      range = { from: end, to, again: false }
    }
  }

  return {
    positions: (): Position[] => [...at].map(([partition, offset]) => ({ partition, offset })),
    /**
     * Applies what stands before `ends`.
     * @param tell whether changes are told: of records that no job has applied, and none will
     * @throws the reason of `signal`, and what the ports throw
     */
    async to(ends: readonly Position[], publish: boolean, signal: AbortSignal): Promise<void> {
      await Promise.all(ends.map(({ partition, offset }) => apply(partition, offset, publish, signal)))
    },
  }
}
