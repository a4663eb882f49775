import { type Command, InvalidArgumentError } from 'commander'
import type { EventLog, LogMessage } from '../connectors/log/port.ts'
import { deadTopic, OBSERVATIONS, SUBMISSIONS } from '../schemas/topics.ts'

const MAX_LIMIT = 10_000
/** Values may have a mebibyte each. */
const SLICE = 100

export type DeadLetterLog = Pick<EventLog, 'offsets' | 'read'>

/** Adds `dead-letters` to the program; `open` connects the log. */
export function registerDeadLetters(
  program: Command,
  open: () => Promise<{ log: DeadLetterLog; close(): Promise<void> }>,
  write: (line: string) => void,
): void {
  program
    .command('dead-letters <topic>')
    .description(`show what of ${SUBMISSIONS} or ${OBSERVATIONS} could not be used, and why; newest last`)
    .option('--limit <records>', `at most this many of each partition, 1 to ${MAX_LIMIT}`, limit, 20)
    .option('--values', 'with the bytes of each record, in Base64')
    .action(async (topic: string, { limit, values }: { limit: number; values?: boolean }) => {
      if (topic !== SUBMISSIONS && topic !== OBSERVATIONS)
        throw new Error(`there are dead letters of ${SUBMISSIONS} and of ${OBSERVATIONS}, not of "${topic}"`)
      const { log, close } = await open()
      try {
        for await (const message of newest(log, deadTopic(topic), limit))
          write(`${JSON.stringify(deadLetter(message, values ?? false))}\n`)
      } finally {
        await close()
      }
    })
}

function limit(text: string): number {
  const records = Number(text)
  if (Number.isInteger(records) && records >= 1 && records <= MAX_LIMIT) return records
  throw new InvalidArgumentError(`It is a number from 1 to ${MAX_LIMIT}.`)
}

/** The last `limit` records of every partition, oldest of them first, in slices that fit into memory. */
async function* newest(log: DeadLetterLog, topic: string, limit: number): AsyncGenerator<LogMessage> {
  for (const { partition, low, high } of await log.offsets(topic)) {
    for (let from = Math.max(low, high - limit); from < high; ) {
      const messages = await log.read(topic, partition, from, high, SLICE)
      yield* messages
      const last = messages.at(-1)
      // Retention may take records away while they are read.
      if (last === undefined) break
      from = last.offset + 1
    }
  }
}

/** What the headers of a dead letter say (`pipelines/runtime/dead-letter.ts`), in words for people. */
export const deadLetter = ({ headers, key, value, timestamp }: LogMessage, values: boolean) => ({
  topic: headers['dead-topic'],
  partition: Number(headers['dead-partition']),
  offset: Number(headers['dead-offset']),
  reason: headers['dead-reason'],
  schemaId: headers['dead-schema-id'] === '' ? null : Number(headers['dead-schema-id']),
  key: key?.toString() ?? null,
  bytes: value?.length ?? 0,
  buriedAt: new Date(timestamp).toISOString(),
  ...(values && { value: value?.toString('base64') ?? null }),
})
