import type { Config } from '../../../platform/config.ts'
import { openDemo } from '../../wiring/open/open-demo.ts'
import { openLog } from '../../wiring/open/open-log.ts'
import { openRegistry } from '../../wiring/open/registry.ts'
import type { DemoContext } from '../demo.ts'

/** What `demo` works over, beside a running platform, or without one. */
export async function openDemoContext(config: Config): Promise<DemoContext> {
  const log = await openLog(config)
  const registry = await openRegistry(config)
  return {
    ...openDemo(log, registry),
    url: config.url,
    close: async () => void (await Promise.all([log.close(), registry.close()])),
  }
}
