import type { Logger } from 'pino'
import type { Reported } from '../../connectors/history/port.ts'
import type { StatedObjects } from '../../connectors/operations/stated-objects/port.ts'
import { pause } from '../../platform/pause.ts'
import { pairOf, type TakenBack } from '../../schemas/intelligence/observations/stated-object.ts'
import { untilApplied } from './applied.ts'
import { dueObjects, type Ended, endedClaims, type KnownVersions } from './due-objects.ts'
import { idsOf, NOTHING_DONE, type PageOptions, type RetractPorts } from './ports.ts'
import { retractPairs } from './run-retract.ts'

export type ObjectsPorts = RetractPorts & { objects: Pick<StatedObjects, 'read' | 'end' | 'tookBack'> }
type ObjectsOptions = Pick<PageOptions, 'dedupeWindow' | 'patience' | 'now' | 'pause' | 'signal'>

/** Claims that a turn took back, and those that the jobs refused to take back. */
type TakenClaims = { claims: number; refused: number }
const NOTHING: TakenClaims = { claims: 0, refused: 0 }

const REASON = 'the STIX object of the producer that claimed it was revoked, replaced or is no longer valid'

/** Pairs that are retracted at once. */
const PAGE = 2_000

/**
 * Takes back what objects of producers claimed and do not claim any more, unless another object of the same source still
 * does (ADR 273). All it knows is on the log: several processes may do it, and each may stop anywhere. Reads the topic
 * once when something is new or due, twice when something is to be taken back.
 */
export function objectsJob(ports: ObjectsPorts, options: ObjectsOptions) {
  const { objects, log, store } = ports
  const { now, signal } = options
  let known: KnownVersions = { resting: new Map(), taken: new Map() }
  let seen = -1
  let next = 0

  return {
    /**
     * What the jobs refused is tried again once the topic has something new.
     * @throws RetractionPending when the jobs stand still
     */
    async turn(): Promise<TakenClaims> {
      const began = now()
      if ((await objects.end()) === seen && (next === 0 || next > began)) return NOTHING
      const first = dueObjects(began, known)
      const end = await objects.read(first.visit, signal)
      const due = first.found()
      known = due.versions
      const done = due.pairs.size === 0 ? NOTHING : await takeBack(due.pairs, began)
      // Only what was looked at to the end need not be looked at again.
      seen = due.more ? -1 : end
      next = due.next
      return done
    },
  }

  async function takeBack(pairs: ReadonlySet<string>, began: number): Promise<TakenClaims> {
    // What objects claim may still be on its way into the rows.
    await untilApplied(log, { ...options, ...NO_WINDOW }, now())
    const second = endedClaims(began, pairs)
    await objects.read(second.visit, signal)
    const { ended, resting } = second.found()
    for (const [offset, over] of resting) known.resting.set(offset, over)
    const windows = Map.groupBy(ended, ({ source, claim: { from, to } }) => JSON.stringify([source, from, to]))
    let refused = 0
    for (const same of windows.values())
      for (let at = 0; at < same.length; at += PAGE) refused += await retract(same.slice(at, at + PAGE))
    return { claims: ended.length - refused, refused }
  }

  /** Resolves to how many claims the jobs refused to take back. */
  async function retract(ended: readonly Ended[]): Promise<number> {
    signal.throwIfAborted()
    const { source, claim } = ended[0]!
    const { from, to } = claim
    const wanted = new Map(ended.map((one) => [pairOf(one.claim), one]))
    const rows = await store.rowsOf(idsOf(ended.map((one) => one.claim)))
    const reported = rows
      .filter((row) => wanted.has(pairOf(row)))
      .map(({ entityId, type, value, audience }): Reported => ({ entityId, type, value, audience, inside: true }))
    const page = { ...options, source, from: Math.max(1, from), to, reason: REASON, dryRun: false }
    const refused = await retractPairs(ports, page, reported, { ...NOTHING_DONE })
    const done = ended.filter((one) => !refused.has(pairOf(one.claim)))
    const marks = takenOf(done)
    if (marks.length > 0) await objects.tookBack(marks)
    for (const { offset, pairs } of marks) known.taken.set(offset, pairs.length)
    return ended.length - done.length
  }
}

const NO_WINDOW = { source: '', from: 1, to: 1, reason: null, dryRun: false }

/** Notes the pairs as taken back; one mark for each version of an object, with all that was taken back of it. */
function takenOf(ended: readonly Ended[]): TakenBack[] {
  for (const { claim, of } of ended) for (const mark of of) mark.pairs.push(pairOf(claim))
  return [...new Set(ended.flatMap(({ of }) => of))]
}

const EVERY_MS = 3_000
/** A pause is this many times as long as the turn before it: a long topic takes a small share of the time. */
const SHARE = 10
/** No pause is longer: a turn that waited for the jobs must not put off for hours what ends meanwhile. */
const MOST_MS = 60_000
/** The jobs apply the records of a page in seconds; what stands still longer is looked at again in the next turn. */
const PATIENCE = { stalledMs: 20_000, mostMs: 120_000 }

/**
 * Looks every three seconds for claims of objects that hold no more, until stopped; a turn that failed is followed by the
 * next, which does what was left.
 * @param alone whether this is the only process that does; several begin at different moments
 */
export function watchObjects(
  ports: ObjectsPorts,
  { alone, logger, dedupeWindow }: { alone: boolean; logger: Logger } & Pick<ObjectsOptions, 'dedupeWindow'>,
) {
  const stopping = new AbortController()
  const { signal } = stopping
  const job = objectsJob(ports, { dedupeWindow, patience: PATIENCE, now: Date.now, pause, signal })

  const once = async (): Promise<void> => {
    const { claims, refused } = await job.turn()
    if (claims > 0)
      logger.info({ claims }, 'retracted claims of STIX objects that were revoked, replaced or have ended')
    if (refused > 0) logger.warn({ refused }, 'the jobs refused to retract claims of STIX objects; retrying later')
  }

  const watch = async (): Promise<void> => {
    if (!alone) await pause(Math.random() * EVERY_MS, signal)
    while (!signal.aborted) {
      const began = performance.now()
      await once().catch(
        (err: unknown) => signal.aborted || logger.warn({ err }, 'cannot retract claims of STIX objects; retrying'),
      )
      await pause(pauseAfter(performance.now() - began), signal)
    }
  }
  const watching = watch()
  return {
    async stop(): Promise<void> {
      stopping.abort()
      await watching
    },
  }
}

/** How long nothing is looked at after a turn that took so long, in milliseconds. */
export const pauseAfter = (tookMs: number): number => Math.min(MOST_MS, Math.max(EVERY_MS, tookMs * SHARE))
