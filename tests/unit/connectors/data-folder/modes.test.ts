import { chmodSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { mendModes } from '../../../../connectors/data-folder/modes.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const root = ownFolder('modes')

const PARTS = { ours: /^(accounts|log|engine)$/, skip: ['engine'] }
const mode = (...path: string[]): string => (statSync(join(...path)).mode & 0o7777).toString(8)

let data: string
beforeEach(() => {
  data = mkdtempSync(join(root, 'data-'))
  for (const folder of ['accounts/base', 'log', 'engine/store']) mkdirSync(join(data, folder), { recursive: true })
  for (const file of ['accounts/base/1', 'log/data.mdb', 'engine/store/1']) {
    writeFileSync(join(data, file), '')
    chmodSync(join(data, file), 0o666)
  }
  for (const folder of ['', 'accounts', 'accounts/base', 'log', 'engine']) chmodSync(join(data, folder), 0o755)
})

test('a folder that was open to others is closed with all its parts, and says so once', async () => {
  expect(await mendModes(data, PARTS)).toEqual({ wasOpen: true, stays: false, entries: 7, foreign: [] })
  expect([mode(data), mode(data, 'accounts'), mode(data, 'accounts/base')]).toEqual(['700', '700', '700'])
  expect([mode(data, 'accounts/base/1'), mode(data, 'log/data.mdb'), mode(data, 'engine')]).toEqual([
    '600',
    '600',
    '700',
  ])
  expect(mode(data, 'engine/store/1')).toBe('666')
  expect(await mendModes(data, PARTS)).toEqual({ wasOpen: false, stays: false, entries: 0, foreign: [] })
})

test('what else lies in the folder stays as it is, and so does the folder; our parts are closed', async () => {
  writeFileSync(join(data, 'notes.txt'), '')
  chmodSync(join(data, 'notes.txt'), 0o644)
  expect(await mendModes(data, PARTS)).toMatchObject({ wasOpen: true, stays: true, entries: 6 })
  expect([mode(data), mode(data, 'notes.txt'), mode(data, 'accounts')]).toEqual(['755', '644', '700'])
})

test('no link is followed out of the folder', async () => {
  const outside = mkdtempSync(join(root, 'outside-'))
  chmodSync(outside, 0o755)
  symlinkSync(outside, join(data, 'log/elsewhere'))
  await mendModes(data, PARTS)
  expect(mode(outside)).toBe('755')
})

test('of a folder behind a link the modes of the folder count, not those of the link', async () => {
  const link = `${data}-link`
  symlinkSync(data, link)
  expect(await mendModes(link, PARTS)).toMatchObject({ wasOpen: true, entries: 7 })
  expect(mode(data)).toBe('700')
  expect(await mendModes(link, PARTS)).toEqual({ wasOpen: false, stays: false, entries: 0, foreign: [] })
})

test.runIf(process.platform === 'linux')(
  'what the file system does not let be closed is named, and stops nobody',
  async () => {
    expect(await mendModes('/proc/self', { ours: /^status$/, skip: [] })).toMatchObject({
      entries: 0,
      foreign: ['/proc/self/status'],
    })
  },
)
