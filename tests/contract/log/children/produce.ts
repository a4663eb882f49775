import { writeSync } from 'node:fs'
import { openLog } from './open.ts'

/** Sends as fast as it can, eight callers at once, and says each id on stdout once it is acknowledged. */
const [where, topic, name] = process.argv.slice(2) as [string, string, string]
const log = await openLog(where)

async function caller(number: number): Promise<void> {
  for (let i = 0; ; i++) {
    const ids = Array.from({ length: 1 + (i % 20) }, (_, n) => `${name}-${number}-${i}-${n}`)
    await log.send([{ topic, messages: ids.map((id) => ({ key: `${name}-${number}`, value: Buffer.from(id) })) }])
    writeSync(1, `${ids.join('\n')}\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, (_, number) => caller(number)))
