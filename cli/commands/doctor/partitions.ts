import type { EventLog } from '../../../connectors/log/port.ts'
import { topicsOn } from '../../../schemas/log/topics.ts'
import { type Check, ok, warn } from './finding.ts'

const RUNBOOK = 'docs/runbooks/partitions.md'

/** Reports added partitions: they are read, and keyed records stay in the first ones (ADR 160). */
export const partitionsCheck = (
  log: Pick<EventLog, 'offsets'>,
  kind: 'embedded' | 'kafka',
  keyPartitions: number,
): Check => ({
  name: 'partitions',
  todo: RUNBOOK,
  async run() {
    const counted = await Promise.all(
      topicsOn(kind, keyPartitions).map(async ({ name, partitions }) => ({
        name,
        declared: partitions,
        there: (await log.offsets(name)).length,
      })),
    )
    const grown = counted.filter(({ there, declared }) => there > declared)
    if (grown.length === 0) return [ok('every topic has the declared number of partitions')]
    return grown.map(({ name, there, declared }) =>
      warn(
        `${name} has ${there} partitions; keyed records use only the first ${declared}`,
        `no action is required: ${RUNBOOK}`,
      ),
    )
  },
})
