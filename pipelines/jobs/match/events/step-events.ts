import { hash } from 'node:crypto'
import { setImmediate as letOthers } from 'node:timers/promises'
import type { Decision } from '../../../../connectors/history/match/port.ts'
import { isExpired } from '../../../../schemas/match/event.ts'
import { HOUR_MS } from '../../../../schemas/match/ledger.ts'
import { type ArrivedEvent, arrived } from '../../../processors/match/arrived.ts'
import { forwardMatches, meetings } from '../../../processors/match/forward.ts'
import { ledgerRows } from '../../../processors/match/ledger-rows.ts'
import { restoreMatches } from '../changes/withdraw.ts'
import type { MatchContext } from '../context.ts'
import { loadIds } from '../load.ts'
import { sendSightings } from '../sightings.ts'
import { type OwnedMatch, tellMatches } from '../tell.ts'
import { meet } from './meet.ts'
import type { PreparedBatch, PreparedEvent } from './prepare.ts'
import { tellAgain } from './step-again.ts'
import { ownerOfEvent } from './whose.ts'

const DAY_MS = 86_400_000
/** Ids are known a little longer than what they bring is kept. */
const MARGIN_MS = DAY_MS
/**
 * Values of a part of a batch. Each may meet a network of every length, so this bounds what is decided at once; parts
 * follow from the records alone, and are cut the same way again.
 */
const VALUES_A_PART = 50_000

type Part = { events: readonly ArrivedEvent[]; mark: bigint }

export type EventsStep = { arrived: number; repeats: number; forward: number }

/** Does what is read, and then what is written, each in its order among others. */
type InOrder = (read: () => Promise<() => Promise<number>>) => Promise<number>

/**
 * Takes the events of a batch into the ledger, and tells which indicators they meet (decisions-2 14.3). The order of the
 * writes makes a batch that is handed out again tell the same (ADR 219): the ids of its events, what was decided, the
 * ledger, the matches, the log.
 * @param again the batch was begun before, by whomever
 */
export async function stepEvents(
  context: MatchContext,
  prepared: PreparedBatch,
  again: boolean,
  inOrder: InOrder,
): Promise<EventsStep> {
  const sum = { arrived: 0, repeats: 0, forward: 0 }
  for (const { events: some, mark } of partsOf(prepared))
    sum.forward += await inOrder(async () => {
      await loadIds(context)
      const part = { events: readableEvents(context, prepared, some), mark }
      const fresh = await freshOf(context, part, again)
      sum.arrived += part.events.length
      sum.repeats += part.events.length - fresh.length
      return readPart(context, { ...part, events: fresh }, again)
    })
  return sum
}

/** Events whose owner is known and keeps them; the others become dead letters, or are of nobody any more. */
function readableEvents(
  context: MatchContext,
  { batch, dead }: PreparedBatch,
  events: readonly PreparedEvent[],
): ArrivedEvent[] {
  const found: ArrivedEvent[] = []
  for (const one of events) {
    const whose = ownerOfEvent(batch.topic, one, context.ports.producers)
    const { n, event, values, loggedAt } = one
    const message = batch.messages[n]!
    if ('reason' in whose) {
      dead.push({ message, reason: whose.reason })
      continue
    }
    const known = context.owners.get(whose.owner)
    if (known === undefined) continue
    const { retentionDays } = known.settings
    if (isExpired(event, loggedAt, retentionDays)) {
      dead.push({ message, reason: `at must be within the last ${retentionDays} days` })
      continue
    }
    found.push(arrived(whose.owner, event, loggedAt, values))
  }
  return found
}

function* partsOf({ batch, events }: PreparedBatch): Generator<{ events: readonly PreparedEvent[]; mark: bigint }> {
  const { topic, partition, from, to } = batch
  let begin = 0
  let values = 0
  for (const [n, event] of events.entries()) {
    values += event.values.length
    if (values < VALUES_A_PART && n < events.length - 1) continue
    const text = hash('sha256', `telemetry\n${topic}\n${partition}\n${from}\n${to}\n${begin}`, 'hex')
    yield { events: events.slice(begin, n + 1), mark: BigInt(`0x${text.slice(0, 16)}`) }
    begin = n + 1
    values = 0
  }
}

/** Events with an id that came for the first time (decisions-2 14.1). */
async function freshOf({ ids, ports }: MatchContext, { events, mark }: Part, again: boolean): Promise<ArrivedEvent[]> {
  const asked = again ? events : events.filter(({ digest }) => ids!.mayHave(digest))
  const known = asked.length === 0 ? new Map<string, bigint>() : await ports.store.idsOf(asked.map((one) => one.digest))
  const seen = new Set<string>()
  return events.filter(({ digest }) => {
    const by = known.get(digest)
    if (seen.has(digest) || (by !== undefined && !(again && by === mark))) return false
    seen.add(digest)
    return true
  })
}

/** @returns what writes what the events meet; resolves to how many matches that is */
async function readPart(context: MatchContext, { events, mark }: Part, again: boolean): Promise<() => Promise<number>> {
  if (events.length === 0) return async () => 0
  const { ports, options, owners } = context
  const { store } = ports
  const now = options.now()
  const keptFor = (owner: string): number => (owners.get(owner)?.settings.retentionDays ?? 0) * DAY_MS
  // Before they are stored: what failed may be stored all the same.
  for (const { digest } of events) context.ids!.add(digest)
  const ids = events.map(({ owner, digest }) => ({ digest, expires: now + keptFor(owner) + MARGIN_MS }))
  const [meeting] = await Promise.all([meanwhile(() => meet(context, events, now)), store.putIds(ids, mark)])
  const { possible, candidates, inIndex, views } = meeting
  const tallies = meetings(possible.events, candidates, inIndex).map(({ hour, ...met }) => ({
    ...met,
    expires: hour + keptFor(met.owner) + MARGIN_MS,
  }))

  return async () => {
    const [decided, rows] = await Promise.all([
      decidedOf(context, mark, { at: now, tallies }, again),
      meanwhile(() => ledgerRows(events, (owner, hour) => hour + HOUR_MS + keptFor(owner))),
    ])
    await store.putLedger(rows, mark)
    if (again) return tellAgain(context, events, mark, decided)
    const told = forwardMatches(possible.events, candidates, inIndex, { batch: mark, matchedAt: now })
    await restoreMet(context, told)
    await sendSightings(context, told, views)
    await tellMatches(context, told, `match:${mark}`)
    return told.length
  }
}

/** Work that changes nothing, done while a write is under way: what is to be sent leaves first. */
async function meanwhile<T>(work: () => T | Promise<T>): Promise<T> {
  await letOthers()
  return work()
}

/** What is met is in the index, also where the change or the settings that brought it back are still to be looked at. */
async function restoreMet(context: MatchContext, told: readonly OwnedMatch[]): Promise<void> {
  for (const [owner, those] of Map.groupBy(told, (one) => one.owner))
    await restoreMatches(context, [context.owners.get(owner)!], [...new Set(those.map(({ match }) => match.entity.id))])
}

/** What was decided of a part. What another process that ended had on its way may be stored first, and holds then. */
async function decidedOf(
  { ports: { store } }: MatchContext,
  mark: bigint,
  made: Decision,
  again: boolean,
): Promise<Decision> {
  const before = again ? await store.decision(mark) : null
  if (before !== null) return before
  await store.putDecision(made, mark)
  return again ? ((await store.decision(mark)) ?? made) : made
}
