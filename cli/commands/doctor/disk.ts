import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'

const GIB = 1024 ** 3
/** Less is told: merges and compaction need room to write what they replace. */
const WARN = { share: 0.1, bytes: 5 * GIB }
const FAIL_BYTES = GIB / 2

export function roomOn(where: string, free: number, total: number): Omit<Finding, 'check'> {
  const share = total === 0 ? 0 : free / total
  const what = `${(free / GIB).toFixed(1)} GiB free for ${where}, ${Math.round(share * 100)} %`
  if (free < FAIL_BYTES) return fail(what, 'make room now: docs/runbooks/disk-full.md')
  if (share < WARN.share || free < WARN.bytes) return warn(what, 'make room: docs/runbooks/disk-full.md')
  return ok(what)
}

/** Room on the disk of the data folder. */
export const diskCheck = (dataDir: string): Check => ({
  name: 'disk',
  todo: 'is HARRIER_DATA_DIR right?',
  async run() {
    const { bavail, blocks, bsize } = await statfs(resolve(dataDir))
    return [roomOn(`the data folder ${resolve(dataDir)}`, bavail * bsize, blocks * bsize)]
  },
})
