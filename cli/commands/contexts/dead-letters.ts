import { deadLetterBox } from '../../../connectors/operations/dead-letters/box.ts'
import type { DeadLetters } from '../../../connectors/operations/dead-letters/port.ts'
import type { Config } from '../../../platform/config.ts'
import { openLog } from '../../wiring/open/open-log.ts'
import { openRegistry } from '../../wiring/open/registry.ts'

/** The dead letters on the configured log: the same log that a running platform has open, embedded or not. */
export async function openDeadLetters(config: Config): Promise<{ box: DeadLetters; close(): Promise<void> }> {
  const log = await openLog(config)
  try {
    const registry = await openRegistry(config)
    const close = async (): Promise<void> => void (await Promise.all([log.close(), registry.close()]))
    return { box: deadLetterBox({ log, registry, now: Date.now }), close }
  } catch (error) {
    await log.close()
    throw error
  }
}
