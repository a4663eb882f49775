import type { Generations } from '../../connectors/history/generations/port.ts'
import type { RescoreShadow, UntoldRow } from '../../connectors/history/port.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import type { Observation } from '../../schemas/intelligence/observations/observation.ts'
import { OBSERVATIONS, OBSERVERS } from '../../schemas/log/topics.ts'
import { type Promotion, rescoredRecord } from '../processors/intelligence/rescored.ts'
import { scoreDiffers } from '../processors/intelligence/rows/score-differs.ts'
import { endOffsets, lagOf } from '../runtime/lag.ts'
import { bothRules, type RescoreState } from './rescore-state.ts'

/** Records sent at once, while the jobs have at most as many to apply: reports wait behind 10,000 at most. */
const AT_ONCE = 5_000
const LOOK_MS = 200
/** Who reads an entity where it is stored may look at the tables of before for a second (ADR 132). */
const READERS_MS = 1_500
/** Jobs that have applied nothing for so long are not waited for, as where none run. */
const STANDING_MS = 10_000

export type PublishPorts = {
  log: Pick<EventLog, 'send' | 'offsets' | 'committed'>
  generations: Pick<Generations, 'current'>
  shadow: Pick<RescoreShadow, 'untold' | 'note'>
  encode: (observation: Observation) => Buffer
  /** Unix milliseconds. */
  now: () => number
  /** Resolves after so many milliseconds, or as soon as `signal` is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Rows of a promoted generation -> `rescored` records on entity.observations (ADR 271)
 * One for each entity of which some reader is shown another score by the new rules, unless a later record has told so
 * already: the observation job makes the change of it, in the order of the log. Goes on where an interrupted call ended;
 * records that are sent twice for it change nothing the second time.
 * @returns how many entities have a record now
 * @throws the reason of `signal`, and what the ports throw
 */
export async function publishRescored(
  ports: PublishPorts,
  database: string,
  given: RescoreState,
  signal: AbortSignal,
): Promise<number> {
  const { log, shadow } = ports
  if (given.stage !== 'published') return 0
  const { rescored } = await ports.generations.current(signal)
  const { before, after } = bothRules(given)
  const since = given.from.toSorted((a, b) => a.partition - b.partition).map(({ offset }) => offset)
  const room = roomForJobs(ports, signal)
  let state = given
  let entities = 0
  // Promoted by an earlier release: no job knows the rules of before.
  const pages = rescored === null ? [] : shadow.untold(since, BigInt(given.toldTo ?? 0))
  if (rescored !== null) await ports.pause(READERS_MS, signal)
  for await (const { rows, next } of pages) {
    signal.throwIfAborted()
    if ((await ports.generations.current(signal)).database !== database)
      throw new Error(`'${database}' is no longer live: another command has published its changes`)
    const differing = [...Map.groupBy(rows, ({ entityId }) => entityId).values()]
      .filter((all) => scoreDiffers(all, before, after))
      .map(([row]) => row!)
    for (let i = 0; i < differing.length; i += AT_ONCE) {
      await room()
      const messages = messagesOf(differing.slice(i, i + AT_ONCE), { database, at: state.at }, ports)
      await log.send([{ topic: OBSERVATIONS, messages }])
    }
    entities += differing.length
    if (next === null) break
    state = { ...state, toldTo: String(next) }
    await shadow.note(JSON.stringify(state))
  }
  await shadow.note(JSON.stringify({ ...state, stage: 'told' } satisfies RescoreState))
  return entities
}

const messagesOf = (entities: readonly UntoldRow[], promotion: Promotion, { encode, now }: PublishPorts) => {
  const timestamp = now()
  return entities.map((entity) => {
    const record = rescoredRecord(entity, promotion)
    return { key: record.entityId, value: encode(record), timestamp }
  })
}

/** Waits while jobs that go on have more to do than is sent at once. */
function roomForJobs({ log, now, pause }: PublishPorts, signal: AbortSignal): () => Promise<void> {
  let isStanding = false
  const left = async (): Promise<number> => lagOf(log, OBSERVERS, OBSERVATIONS, await endOffsets(log, OBSERVATIONS))
  const applied = async (): Promise<number> =>
    (await log.committed(OBSERVERS, OBSERVATIONS)).reduce((sum, { offset }) => sum + (offset ?? 0), 0)

  return async () => {
    let position = -1
    let moved = now()
    while (!isStanding && (await left()) > AT_ONCE) {
      const reached = await applied()
      if (reached !== position) moved = now()
      position = reached
      isStanding = now() - moved > STANDING_MS
      await pause(LOOK_MS, signal)
      signal.throwIfAborted()
    }
  }
}
