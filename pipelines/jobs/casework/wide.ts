import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { type AlertStep, decide, type Watched, type WideLook } from '../../processors/casework/look-at.ts'
import type { WideMemory } from '../../processors/casework/wide-memory.ts'
import { viewsNow } from '../feeds-out/views-now.ts'
import type { AlertsOptions, AlertsPorts } from './ports.ts'

const OBSERVERS = 'observe'
const LOOK_MS = 200

type WidePorts = Pick<AlertsPorts, 'log' | 'live'>

/**
 * Decides changes of entities that carry no claims: by the view as it is stored now, once it is (ADR 203). Few entities
 * have so many reports.
 */
export function wideLooks({ log, live }: WidePorts, { pause }: Pick<AlertsOptions, 'pause'>) {
  /** By partition of the observations, up to where they are stored, as far as that is known. */
  const stored = new Map<number, number>()

  /** Changes are sent before the rows of their range are stored, and all of a range at once. */
  async function untilStored(source: number, offset: number, signal: AbortSignal): Promise<void> {
    while ((stored.get(source) ?? 0) <= offset) {
      for (const one of await log.committed(OBSERVERS, OBSERVATIONS)) stored.set(one.partition, one.offset ?? 0)
      if ((stored.get(source) ?? 0) > offset) return
      await pause(LOOK_MS, signal)
      signal.throwIfAborted()
    }
  }

  return async (
    look: WideLook,
    memory: WideMemory,
    index: Watched['index'],
    tell: (step: AlertStep) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    const { change, reader } = look
    await untilStored(change.partition, change.offset, signal)
    const { rows, rules } = await live()
    const after = (await viewsNow(rows, [change.entityId], reader.reads, rules)).get(change.entityId)
    if (after !== undefined) decide(look, reader, memory.take(change, reader, after), index, tell)
  }
}
