import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { remove, startPlatform, temporaryFolder } from '../../../builders/platform/platform.ts'
import { drained } from '../../parts/drained.ts'
import { subscriber } from '../../parts/subscriber.ts'
import { imported } from '../../write/pipeline.ts'
import { telemetry } from './latency.ts'

/** @returns observations a second */
async function measured(observations: number, rate: number): Promise<number> {
  const folder = temporaryFolder()
  try {
    const data = join(folder, 'data')
    const first = await startPlatform(data)
    const headers = await subscriber(first, ['user', 'reporter'])
    await first.stop()
    const file = join(folder, 'feed.tsv')
    const lines = Array.from({ length: observations }, (_, n) => `other${n}.example.org\tmalware\tbench\n`)
    writeFileSync(file, lines.join(''))
    imported(data, file)
    let stop: (() => Promise<number>) | null = null
    const drain = await drained(data, {}, (platform) => {
      if (rate > 0) stop = telemetry(platform, headers, rate)
    })
    if (stop !== null)
      console.log(`telemetry        ${(await (stop as () => Promise<number>)()).toFixed(0)} events/s beside`)
    await drain.platform.stop()
    return drain.rate
  } finally {
    remove(folder)
  }
}

/** The observation job with telemetry beside it, and alone, which is the baseline. */
export async function observing(observations: number, rate: number): Promise<void> {
  const alone = await measured(observations, 0)
  const beside = await measured(observations, rate)
  console.log(`observation job  ${(beside / alone).toFixed(2)} of its rate alone`)
}
