import { setTimeout as sleep } from 'node:timers/promises'
import { remove, temporaryFolder } from '../../builders/platform/platform.ts'
import { smallDisk } from '../../builders/platform/system/small-disk.ts'
import { accepted, now } from '../harness/measured.ts'
import { bounded, command } from '../harness/outcome.ts'
import { openStage } from '../harness/stage.ts'

const CLIENTS = 8
const REFUSED_MS = 60_000
/** The jobs come back with pauses of at most 5 s. */
const AGAIN_MS = 30_000

export const diskFull = command({
  what: 'the disk of the data folder fills under load, stays full, and has room again (needs root)',
  options: { mebibytes: 512, seconds: 10, rate: 100 },
  async run({ mebibytes, seconds, rate }, print) {
    const folder = temporaryFolder()
    const disk = smallDisk(folder, mebibytes)
    if (disk === null) {
      remove(folder)
      throw new Error('a small file system can be mounted by root alone')
    }
    const stage = await openStage({ dataDir: folder })
    try {
      const load = stage.load(CLIENTS, rate)
      const from = now()
      await sleep(seconds * 1000)
      const full = now()
      const before = accepted(load.told, from, full)
      disk.fill()
      const refused = () => load.told.filter((t) => t.at >= full && t.fate === 500)
      // Pages that the log holds already take some more in.
      while (refused().length === 0 && now() - full < REFUSED_MS) await sleep(50)
      await sleep(seconds * 1000)
      const cleared = now()
      disk.clear()
      const afterwards = () => load.told.find((t) => t.at >= cleared && t.fate === 202)
      while (afterwards() === undefined && now() - cleared < AGAIN_MS) await sleep(50)
      const again = (afterwards()?.at ?? Number.POSITIVE_INFINITY) - cleared
      await sleep(seconds * 1000)
      const after = accepted(load.told, cleared, now())
      await load.stop()
      const lost = load.told.filter(({ fate }) => typeof fate !== 'number').length
      const statuses = [...Map.groupBy(load.told, ({ fate }) => fate)].map(([fate, of]) => `${of.length} x ${fate}`)
      print(
        `before ${before.rate.toFixed(0)} 202s/s; refused after ${((refused()[0]!.at - full) / 1000).toFixed(1)} s; answers: ${statuses.join(', ')}`,
      )
      print(`accepted again ${(again / 1000).toFixed(1)} s after there was room, ${after.rate.toFixed(0)} 202s/s`)
      const { figures, faults } = await stage.settled()
      return {
        figures: { ...figures, 'accepted again after ms': again },
        faults: [
          ...faults,
          ...bounded([
            { name: 'refusals while it was full', is: refused().length, atLeast: 1 },
            { name: 'reports without an answer', is: lost, atMost: 0 },
            { name: 'milliseconds until it accepts again', is: again, atMost: AGAIN_MS },
          ]),
        ],
      }
    } finally {
      await stage.close()
      disk.unmount()
      remove(folder)
    }
  },
})
