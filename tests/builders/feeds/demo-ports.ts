import { logDemoLoads } from '../../../connectors/operations/demo-loads/loads.ts'
import type { DemoPorts } from '../../../pipelines/demo/load.ts'
import { DEMO_LOADS } from '../../../schemas/log/topics.ts'
import { memoryLog } from '../log/memory-log.ts'
import { importPorts, type TestPorts } from './import/ports.ts'

/** Loads over a log in memory, whose jobs have always applied everything; loads are told on a topic of one partition. */
export function demoPorts(now: () => number): DemoPorts & Pick<TestPorts, 'observations'> & { log: TestPorts['log'] } {
  const { log, ...codec } = importPorts()
  const told = memoryLog(1)
  const of = (topic: string): typeof log => (topic === DEMO_LOADS ? told : log)
  return {
    ...codec,
    now,
    log: {
      ...log,
      committed: async (_group: string, topic: string) =>
        (await of(topic).offsets(topic)).map(({ partition, high }) => ({ partition, offset: high })),
    } as TestPorts['log'] & DemoPorts['log'],
    loads: logDemoLoads(told),
  }
}
