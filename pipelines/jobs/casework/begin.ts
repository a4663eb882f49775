import { CHANGES } from '../../../schemas/log/topics.ts'
import { ALERTS_GROUP, type AlertsPorts } from './ports.ts'

/** Processes that begin at once each try so often: one of them makes the positions, and the others find them. */
const TRIES = 5
const AGAIN_MS = 1_000

type BeginPorts = Pick<AlertsPorts, 'log'> & { store: { lists: Pick<AlertsPorts['store']['lists'], 'earliest'> } }
type Position = { partition: number; offset: number }

/**
 * Where a new group begins: with the first change that an item may fire for, at the end of the topic if there is no item.
 * The end is read first: an item that is made after that fires for what is logged later still.
 */
async function beginning({ log, store }: BeginPorts): Promise<Position[]> {
  const ends = (await log.offsets(CHANGES)).map(({ partition, high }) => ({ partition, offset: high }))
  const since = await store.lists.earliest()
  if (since === null) return ends
  const first = new Map((await log.offsetsAt(CHANGES, since)).map(({ partition, offset }) => [partition, offset]))
  return ends.map(({ partition, offset }) => ({ partition, offset: Math.min(offset, first.get(partition) ?? offset) }))
}

/** Gives the group its positions unless it has some. @throws what the log and the store throw */
export async function beginAlerts(
  ports: BeginPorts,
  pause: (ms: number, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { log } = ports
  for (let tried = 1; !signal.aborted; tried++) {
    const committed = await log.committed(ALERTS_GROUP, CHANGES)
    if (committed.some(({ offset }) => offset !== null)) return
    try {
      return await log.setOffsets(ALERTS_GROUP, CHANGES, await beginning(ports))
    } catch (error) {
      if (tried === TRIES) throw error
      await pause(AGAIN_MS, signal)
    }
  }
}
