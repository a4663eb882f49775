import { type AlertStep, decide, type Watched, type WideLook } from '../../processors/casework/look-at.ts'
import type { WideMemory } from '../../processors/casework/wide-memory.ts'
import { viewsNow } from '../feeds-out/views-now.ts'
import type { AlertsPorts } from './ports.ts'

type WidePorts = Pick<AlertsPorts, 'stored' | 'live'>

/**
 * Decides changes of entities that carry no claims: by the view as it is stored now, once it is (ADR 203). Few entities
 * have so many reports.
 */
export const wideLooks =
  ({ stored, live }: WidePorts) =>
  async (
    look: WideLook,
    memory: WideMemory,
    index: Watched['index'],
    tell: (step: AlertStep) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    const { change, reader } = look
    await stored([change], signal)
    const { rows, rules } = await live()
    const after = (await viewsNow(rows, [change.entityId], reader.reads, rules)).get(change.entityId)
    if (after !== undefined) decide(look, reader, memory.take(change, reader, after), index, tell)
  }
