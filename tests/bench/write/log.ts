import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import { kafkaLog } from '../../../connectors/log/kafka/log.ts'

/**
 * Send and consume rates of the embedded log, or of a Kafka whose brokers are named; every record is durable before it
 * counts. `npm run bench -- log [127.0.0.1:9092]`
 */
const RECORD = 450
const SECONDS = 3
const PARTITIONS = 2

const folder = await mkdtemp(join(tmpdir(), 'harrier-bench-log-'))
const brokers = process.argv[2]?.split(',')
const log = brokers ? await kafkaLog({ brokers }) : await embeddedLog({ folder })
/** A broker outlives a run. */
const topic = `bench-${process.pid}`
await log.createTopics([{ name: topic, partitions: PARTITIONS, cleanup: 'delete', retentionMs: null }])
const value = Buffer.alloc(RECORD, 7)
let sequence = 0
const record = () => ({ key: `ip-${(sequence++ % 100_000).toString(16)}`, value })

async function sendFor(callers: number, size: number): Promise<void> {
  const until = performance.now() + SECONDS * 1000
  const delays: number[] = []
  let sent = 0
  const caller = async () => {
    for (let start = performance.now(); start < until; start = performance.now()) {
      await log.send([{ topic, messages: Array.from({ length: size }, record) }])
      delays.push(performance.now() - start)
      sent += size
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  delays.sort((a, b) => a - b)
  const at = (share: number) => delays[Math.floor(delays.length * share)]?.toFixed(2)
  console.log(
    `send   ${callers} callers x ${size}: ${Math.round(sent / SECONDS)} records/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  )
}

async function consumeAll(): Promise<void> {
  const total = (await log.offsets(topic)).reduce((sum, { low, high }) => sum + high - low, 0)
  const start = performance.now()
  let seen = 0
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const consumer = await log.consume(
    {
      group: 'bench',
      topics: [topic],
      maxRecords: 50_000,
      maxBytes: 32 * 1024 * 1024,
      lingerMs: 0,
      intent: () => 'n',
    },
    async ({ messages }) => {
      seen += messages.length
      if (seen >= total) resolve()
    },
  )
  await done
  console.log(`consume ${total} records: ${Math.round(total / ((performance.now() - start) / 1000))} records/s`)
  await consumer.stop()
}

await sendFor(1, 1)
await sendFor(64, 1)
await sendFor(1, 1000)
await sendFor(4, 1000)
await consumeAll()
await log.close()
await rm(folder, { recursive: true })
