import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkRoom, RESERVE_BYTES } from '../../../../connectors/data-folder/room.ts'
import { smallDisk } from '../../../builders/platform/system/small-disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'harrier-room-'))
const mounted = join(folder, 'disk')
mkdirSync(mounted)
const MEBIBYTES = RESERVE_BYTES / 1024 ** 2 + 8
const disk = smallDisk(mounted, MEBIBYTES)
afterAll(() => {
  disk?.unmount()
  rmSync(folder, { recursive: true })
})

test.skipIf(disk === null)('a folder may be written while its disk has the reserve, and the error names both', () => {
  expect(() => checkRoom(mounted)).not.toThrow()
  disk!.fill()
  expect(() => checkRoom(mounted)).toThrow(
    `cannot write ${mounted}: its disk is full (0 MiB free, 32 MiB are needed); free disk space, see harrier guide runbooks/disk-full`,
  )
  disk!.clear()
  expect(() => checkRoom(mounted)).not.toThrow()
})

test('where free space is not told, the disk itself decides', () => {
  expect(() => checkRoom(join(folder, 'nowhere'))).not.toThrow()
})
