import { DEMO_LOADS } from '../../../schemas/log/topics.ts'
import { type DemoLoad, type DemoRecord, demoLoadAfter } from '../../../schemas/operation/demo-load.ts'
import { compactedTable } from '../../log/compacted.ts'
import type { EventLog } from '../../log/port.ts'
import type { DemoLoads } from './port.ts'

/**
 * The load as recorded on a topic of one partition. The order of that partition decides between processes that want
 * the load at the same time.
 */
export function logDemoLoads(log: Pick<EventLog, 'offsets' | 'read' | 'send'>): DemoLoads {
  let load: DemoLoad | null = null
  const refresh = compactedTable(log, DEMO_LOADS, ({ value }) => {
    if (value !== null) load = demoLoadAfter(load, JSON.parse(value.toString()) as DemoRecord)
  })
  const current = async (): Promise<DemoLoad | null> => {
    await refresh()
    return load
  }
  return {
    current,
    async append(record) {
      await log.send([
        { topic: DEMO_LOADS, messages: [{ key: record.by, value: Buffer.from(JSON.stringify(record)) }] },
      ])
      return current()
    },
  }
}
