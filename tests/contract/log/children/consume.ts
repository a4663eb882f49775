import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from './open.ts'

/** Consumes slowly and says on stdout which ranges it begins and finishes, as JSON lines. */
const [where, group, topic] = process.argv.slice(2) as [string, string, string]
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`)
const log = await openLog(where)
const options = { group, topics: [topic], maxRecords: 25, maxBytes: 1 << 20, lingerMs: 0 }
const intent = ({ from, to }: { from: number; to: number }) => `by ${process.pid}: ${from}-${to}`

const consumer = await log.consume(
  { ...options, intent },
  async ({ from, to, note, partition, redelivered, messages }) => {
    const values = messages.map(({ value }) => value?.toString())
    say({ said: 'begun', from, to, note, partition, redelivered, values })
    await sleep(20)
    say({ said: 'done', from, to, partition })
  },
)
await consumer.closed
