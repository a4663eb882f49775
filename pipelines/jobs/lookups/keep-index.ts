import { OffsetGone } from '../../../connectors/log/port.ts'
import type { AppliedTo, IndexState, LookupIndex } from '../../../connectors/lookups/port.ts'
import type { RowLog } from '../../../connectors/operations/rows/port.ts'
import { followRows } from './follow-rows.ts'
import type { IndexEnd, KeepIndexOptions, KeepIndexPorts, LiveTables } from './ports.ts'

/** An index is wanted for so long after it was said, in milliseconds; it is said again in time. */
const WANTED_MS = 2 * 60 * 60_000
const AGAIN_MS = WANTED_MS / 4
/** By then jobs know that it is wanted, and most batches that were begun before are stored, in milliseconds. */
const KNOWN_MS = 2_000

/**
 * entity.rows -> the index of the present rows (decisions 18.6): built from the tables where there is none that goes on in
 * the log, then kept with what each batch stores. Resolves when it is no index of the live tables any more, lacks a batch, is
 * too large, or was stopped; the index is removed then, but by a stop.
 * @throws what log and store throw; an index that was complete is gone on with by the next call
 */
export async function keepIndex(ports: KeepIndexPorts, options: KeepIndexOptions): Promise<IndexEnd> {
  const ending = new AbortController()
  const signal = AbortSignal.any([options.signal, ending.signal])
  await ports.rows.want(options.now() + WANTED_MS)
  const saying = sayAgain(ports.rows, { ...options, signal })
  try {
    return await keep(ports, options)
  } catch (error) {
    // What it waited for was given up.
    if (options.signal.aborted && error === options.signal.reason) return 'stopped'
    throw error
  } finally {
    ending.abort()
    await saying
  }
}

/** Says again and again that an index is wanted. What fails is tried again with the next one: four of them are in time. */
async function sayAgain(
  { want }: Pick<RowLog, 'want'>,
  { now, pause, signal }: Pick<KeepIndexOptions, 'now' | 'pause' | 'signal'>,
): Promise<void> {
  for (;;) {
    await Promise.resolve(pause(AGAIN_MS, signal)).catch(() => undefined)
    if (signal.aborted) return
    await want(now() + WANTED_MS).catch(() => undefined)
  }
}

async function keep(ports: KeepIndexPorts, options: KeepIndexOptions): Promise<IndexEnd> {
  const { indexes } = ports
  const live = await ports.live()
  const index = (await kept(live, ports, options)) ?? (await build(live, ports, options))
  if (index === null) return options.signal.aborted ? 'stopped' : 'too large'
  let end: IndexEnd | null = null
  try {
    end = await followRows(index, live, ports, options)
    return end
  } catch (error) {
    if (!(error instanceof OffsetGone)) throw error
    end = 'missing'
    return end
  } finally {
    await index.close()
    if (end !== null && end !== 'stopped') indexes.clear()
  }
}

/** The index that is there, where it goes on; another one is removed. */
async function kept(
  live: LiveTables,
  { indexes, rows }: Pick<KeepIndexPorts, 'indexes' | 'rows'>,
  { wanted }: Pick<KeepIndexOptions, 'wanted'>,
): Promise<LookupIndex | null> {
  const index = indexes.open()
  if (index === null) return null
  try {
    if (wanted(index.state().builtAt) && (await goesOn(index.state(), live, rows))) {
      // Rows that the log does not keep any more are no matter if nothing of them is missing.
      const { low, high } = await rows.kept()
      const { position } = index.state()
      if (position < low || position > high) await index.put([], { position: low })
      return index
    }
  } catch (error) {
    await index.close()
    throw error
  }
  await index.close()
  indexes.clear()
  return null
}

/** Whether it is of the tables that are live and of this log: that is known again by the last records that it has. */
async function goesOn(
  { database, applied }: IndexState,
  live: Pick<LiveTables, 'database'>,
  { sealBefore }: Pick<RowLog, 'sealBefore'>,
): Promise<boolean> {
  if (database !== live.database) return false
  for (const [partition, at] of applied.entries())
    if (at !== null && at.seal !== null && (await sealBefore(partition, at.to)) !== at.seal) return false
  return true
}

/** null: it was stopped, or it is too large. What was begun is removed then. */
async function build(
  live: LiveTables,
  { indexes, rows }: Pick<KeepIndexPorts, 'indexes' | 'rows'>,
  { now, pause, signal, maxBytes, report }: KeepIndexOptions,
): Promise<LookupIndex | null> {
  const began = now()
  // From here on the rows are read: a batch that is sent now is stored later.
  const { high: position } = await rows.kept()
  await pause(KNOWN_MS, signal)
  signal.throwIfAborted()
  const stored = await rows.stored()
  const applied: AppliedTo[] = await Promise.all(
    Array.from(stored, async (to = 0, partition) => ({ to, seal: await rows.sealBefore(partition, to) })),
  )
  const index = indexes.begin({ database: live.database, position, applied })
  let entities = 0
  try {
    for await (const part of live.scan()) {
      if (signal.aborted || index.bytes() > maxBytes) break
      await index.append(part, {})
      entities += part.length
    }
    if (signal.aborted) return await given(null)
    if (index.bytes() > maxBytes) {
      report({ kind: 'too large', bytes: index.bytes() })
      return await given(null)
    }
    await index.append([], { complete: true })
    index.promote()
    report({ kind: 'built', entities, took: now() - began })
    return index
  } catch (error) {
    await index.close()
    throw error
  }

  async function given(nothing: null): Promise<null> {
    await index.close()
    return nothing
  }
}
