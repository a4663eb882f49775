import { loadavg } from 'node:os'
import { join } from 'node:path'
import { generations } from '../../../../connectors/history/generations/generations.ts'
import { indicatorSource } from '../../../../connectors/history/match/indicators.ts'
import { indicators } from '../../../../pipelines/processors/match/indicators.ts'
import { withHistory } from '../../../builders/platform/data-folder.ts'
import { remove, temporaryFolder } from '../../../builders/platform/platform.ts'
import { useOf } from '../../parts/processes.ts'
import { settled } from '../../parts/seeded-store.ts'
import { madeFolder } from './data-folder.ts'

const MIB = 1024 ** 2

const used = (): number => useOf(process.pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)

/** Reads the index as the job does when it starts; the baseline is the count of the same rows. */
export async function coldStart(count: number, kept?: string): Promise<void> {
  const dataDir = kept ?? join(temporaryFolder(), 'data')
  await madeFolder(dataDir, count)
  await withHistory(dataDir, async (home) => {
    const { database } = await generations(home, { mode: 'single', home: 'harrier' }).current()
    const history = home.at(database)
    await settled(history)
    const timed = async (name: string, work: () => Promise<string>): Promise<void> => {
      const [from, before] = [performance.now(), used()]
      const said = await work()
      const seconds = ((performance.now() - from) / 1_000).toFixed(1)
      console.log(
        `${name.padEnd(16)} ${seconds} s, ${(used() - before).toFixed(1)} CPU-seconds of both processes; ${said}`,
      )
    }
    const source = indicatorSource(history)
    await timed('cold start', async () => {
      const found = indicators()
      for await (const marks of source.marks(3)) found.addMarks(marks)
      for (const network of await source.networks(3)) found.addNetwork(network)
      return `${found.size().toLocaleString('en')} indicators in ${(found.bytes() / MIB).toFixed(0)} MiB`
    })
    await timed('baseline: count', async () => {
      const sql = 'SELECT uniqExact(key) AS n FROM entities WHERE reputation <= 3'
      const [row] = await history.query<{ n: string }>({ sql, params: {} })
      return `${row!.n} keys`
    })
    console.log(`load             ${loadavg()[0]!.toFixed(1)}`)
  })
  if (kept === undefined) remove(join(dataDir, '..'))
}
