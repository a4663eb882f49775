import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'

const GIB = 1024 ** 3
/** A smaller share of free space is reported, because merges and compaction need space for their output. */
const WARN = { share: 0.1, bytes: 5 * GIB }
const FAIL_BYTES = GIB / 2

export function roomOn(where: string, free: number, total: number): Omit<Finding, 'check'> {
  const share = total === 0 ? 0 : free / total
  const what = `${(free / GIB).toFixed(1)} GiB free for ${where}, ${Math.round(share * 100)} %`
  if (free < FAIL_BYTES) return fail(what, 'free disk space now: /help/operate/runbooks/disk-full/')
  if (share < WARN.share || free < WARN.bytes) return warn(what, 'free disk space: /help/operate/runbooks/disk-full/')
  return ok(what)
}

/** Checks the free space of the data folder's disk. */
export const diskCheck = (dataDir: string): Check => ({
  name: 'disk',
  todo: 'check HARRIER_DATA_DIR',
  async run() {
    const { bavail, blocks, bsize } = await statfs(resolve(dataDir))
    return [roomOn(`the data folder ${resolve(dataDir)}`, bavail * bsize, blocks * bsize)]
  },
})
