import type { HeldBefore } from '../../connectors/history/port.ts'
import { OBSERVATIONS } from '../../schemas/log/topics.ts'
import { idsOf, type PageOptions, type PendingRetraction, place, type RetractPorts } from './ports.ts'
import { retractionRecord } from './record.ts'

/**
 * Puts a record for each pair on the log.
 * @param run shared by all records of a page
 * @returns the time of the records, unix milliseconds
 */
export async function sendRetractions(
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
