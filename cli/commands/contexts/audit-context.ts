import type { Config } from '../../../platform/config.ts'
import { openLog } from '../../wiring/open/open-log.ts'
import { openRegistry } from '../../wiring/open/registry.ts'
import type { AuditContext } from '../audit/records.ts'

/** The topic of audit records, beside a running platform or without one. */
export async function openAuditTopic(config: Config): Promise<AuditContext & { close(): Promise<void> }> {
  const log = await openLog(config)
  try {
    const registry = await openRegistry(config)
    return { log, registry, close: () => registry.close().finally(() => log.close()) }
  } catch (error) {
    await log.close()
    throw error
  }
}
