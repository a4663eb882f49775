import { decoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import type { TelemetryEvent } from '../../../schemas/match/event.ts'
import { possibleReader } from '../../processors/match/columns/event-part.ts'
import { indicators } from '../../processors/match/indicators.ts'
import { knownIds } from '../../processors/match/known-ids.ts'
import { knownOwners, NOTHING } from '../../processors/match/known-owners.ts'
import { type MatchContext, noIndex, type Telling, versions } from './match-context.ts'
import type { MatchOptions, MatchPorts } from './ports.ts'

const APPLIED = 'applied'
export const TELLING = 'telling'

const decode = decoder<TelemetryEvent>(records.telemetry, () => records.telemetry)

/** The event in a record that was read before. */
function eventIn(record: Buffer): TelemetryEvent {
  const decoded = decode(record)
  if (!decoded.ok) throw new Error(decoded.reason)
  return decoded.record
}

/** What a process begins with that leads the group. */
export async function loadContext(
  ports: MatchPorts,
  options: MatchOptions,
): Promise<{ context: MatchContext; notes: ReadonlyMap<string, string> }> {
  const notes = await ports.store.notes()
  const applied = new Map<string, number>(JSON.parse(notes.get(APPLIED) ?? '[]') as [string, number][])
  const newVersion = versions(options.now, await ports.store.lastVersion())
  const telling = JSON.parse(notes.get(TELLING) || 'null') as Telling | null
  const readPossible = possibleReader(eventIn)
  const began = {
    owners: knownOwners(),
    ids: null,
    readPossible,
    index: noIndex(NOTHING),
    applied,
    telling,
    newVersion,
  }
  const context: MatchContext = { ports, options, ...began }
  return { context, notes }
}

/** Notes how far changes were looked at, so that one that was sent again does nothing after a restart either. */
export const noteApplied = ({ ports, applied, newVersion, options }: MatchContext): Promise<void> =>
  ports.store.putNote(APPLIED, JSON.stringify([...applied]), newVersion(), options.now())

/**
 * Reads what may be an indicator, where that was read for other tables or for less. Changes that come later are added to
 * it: those of the meantime too, as they wait.
 * @param passed resolves once the changes are stored that the group has passed: it skips them while there is no owner
 */
export async function loadIndex(context: MatchContext, passed: () => Promise<void>): Promise<void> {
  const { ports, options, owners } = context
  const bound = owners.bound()
  const { generation, indicators: source } = await ports.live()
  if (bound <= context.index.bound && generation === context.index.generation) return
  const began = options.now()
  await passed()
  const found = indicators()
  for await (const marks of source.marks(bound)) {
    found.addMarks(marks)
    options.signal.throwIfAborted()
  }
  for (const network of await source.networks(bound)) found.addNetwork(network)
  context.index = { indicators: found, bound, generation }
  options.report({ kind: 'index', indicators: found.size(), bytes: found.bytes(), took: options.now() - began })
}

/** Reads which ids of events are known, once. */
export async function loadIds(context: MatchContext): Promise<void> {
  if (context.ids !== null) return
  const ids = knownIds(context.options.idBitsLog2)
  for await (const bytes of context.ports.store.ids()) ids.addAll(bytes)
  context.ids = ids
}
