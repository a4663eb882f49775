import { expect, test } from 'vitest'
import { memoryLog } from '../../builders/log/memory-log.ts'
import { longer } from '../../builders/platform/longer.ts'
import { groupsContract } from './promises/groups.ts'
import { recordsContract } from './promises/records.ts'
import { tailsContract } from './promises/tails.ts'

/** The promises of the port that the log in memory does not keep. The suite fails when it keeps one of them. */
const UNKEPT = new Set([
  // A topic is there from its first use.
  'an unknown topic is named',
  'an unknown topic cannot be followed',
  // Portions are cut by their number of records alone.
  'a scan of large records holds few of them at a time',
  // It has no groups.
  'a group sees every record once and resumes where it stopped',
  'batches of a partition follow each other without a hole, within their bounds',
  'a batch in work holds back its partition, not the other one',
  'a batch that throws ends the consumer, and nothing of it is committed',
  'stop lets the running batch finish and commits it',
  'members share the partitions, and take over from one that leaves',
  'a batch whose partition is to move is told so; given up, its range comes again exactly',
  'positions are moved by offset and by time, only while nobody reads',
  'a range that was begun comes again, exactly, with its note, whatever was appended since',
  'records that a group has no use for are passed, and what comes after them is handed out',
  'a range that was begun is handed out again, whatever a group has a use for by then',
  'a question that fails ends the consumer, and nothing is passed',
  'a finished range is not begun any more',
  'a note over 2 KiB is refused',
  'several tails and a group read the same topic side by side',
])

const log = memoryLog()
recordsContract('memory', async () => log, UNKEPT)
groupsContract('memory', async () => log, UNKEPT)
tailsContract(
  'memory',
  {
    open: async () => log,
    ageing: async () => ({
      log,
      async dropAll(topic) {
        for (const { partition, high } of await log.offsets(topic)) log.dropBefore(topic, partition, high)
      },
      close: async () => undefined,
    }),
    runs: longer(15),
  },
  UNKEPT,
)

test('every promise that the log in memory does not keep is one of the contract', () => {
  expect([...UNKEPT]).toEqual([])
})
