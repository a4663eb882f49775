import type { IndexState, LookupIndex } from '../../../connectors/lookups/port.ts'
import { NotKept } from '../../../connectors/operations/changes/port.ts'
import { followChanges } from './follow-changes.ts'
import type { IndexEnd, KeepIndexOptions, KeepIndexPorts, LiveTables } from './ports.ts'

/**
 * entity.changes -> the index of the present rows (decisions 18.6): built from the tables where there is none that goes on
 * in the log, then kept with every change once it is stored. Resolves when it is no index of the live tables any more, is
 * too large, or was stopped; the index is removed then, but by a stop.
 * @throws what log and store throw; an index that was complete is gone on with by the next call
 */
export async function keepIndex(ports: KeepIndexPorts, options: KeepIndexOptions): Promise<IndexEnd> {
  try {
    return await keep(ports, options)
  } catch (error) {
    // What it waited for was given up.
    if (options.signal.aborted && error === options.signal.reason) return 'stopped'
    throw error
  }
}

async function keep(ports: KeepIndexPorts, options: KeepIndexOptions): Promise<IndexEnd> {
  const { indexes } = ports
  const live = await ports.live()
  const index = (await kept(live, ports, options)) ?? (await build(live, ports, options))
  if (index === null) return options.signal.aborted ? 'stopped' : 'too large'
  let end: IndexEnd | null = null
  try {
    end = await followChanges(index, live, ports, options)
    return end
  } catch (error) {
    if (!(error instanceof NotKept)) throw error
    end = 'other tables'
    return end
  } finally {
    await index.close()
    if (end !== null && end !== 'stopped') indexes.clear()
  }
}

/** The index that is there, where it goes on; another one is removed. */
async function kept(
  live: LiveTables,
  ports: KeepIndexPorts,
  { wanted }: Pick<KeepIndexOptions, 'wanted'>,
): Promise<LookupIndex | null> {
  const index = ports.indexes.open()
  if (index === null) return null
  let goes: boolean
  try {
    goes = wanted(index.state().builtAt) && (await goesOn(index.state(), live, ports))
  } catch (error) {
    await index.close()
    throw error
  }
  if (goes) return index
  await index.close()
  ports.indexes.clear()
  return null
}

/** Whether the log still has what comes after the last change of the index, by which it is known again. */
async function goesOn(
  { database, positions, last }: IndexState,
  live: Pick<LiveTables, 'database'>,
  { changes, changeBefore }: Pick<KeepIndexPorts, 'changes' | 'changeBefore'>,
): Promise<boolean> {
  const kept = await changes.kept()
  if (database !== live.database || positions.length > kept.length) return false
  for (const [partition, { low, high }] of kept.entries()) {
    const at = positions[partition] ?? 0
    if (at < low || at > high) return false
    const known = last[partition] ?? null
    if (known === null) continue
    const found = await changeBefore(partition, known.offset + 1)
    if (found?.observationId !== known.observationId) return false
  }
  return true
}

/** null: it was stopped, or it is too large. What was begun is removed then. */
async function build(
  live: LiveTables,
  { indexes, changes, changeBefore, stored }: KeepIndexPorts,
  { now, signal, maxBytes, report }: KeepIndexOptions,
): Promise<LookupIndex | null> {
  const began = now()
  const positions = (await changes.kept()).map(({ high }) => high)
  // What was said before is read in the tables.
  await stored(positions)
  const last = await Promise.all(positions.map((offset, partition) => changeBefore(partition, offset)))
  const index = indexes.begin({ database: live.database, positions, last })
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
