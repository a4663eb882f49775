import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { reportsInLog } from '../../builders/api/bulk-platform.ts'
import { measuredCommand } from '../../builders/platform/command.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

/** A large document of a producer: a document of JSON is read whole (decisions 15.3). */
const folder = ownFolder()

const MIB = 1024 * 1024
const INDICATORS = 169_000
/** Eleven times the document; 700 MiB were measured. */
const MOST_MIB = 1_000

function indicator(n: number): string {
  const hex = createHash('sha256').update(String(n)).digest('hex')
  return JSON.stringify({
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    created: '2026-01-01T00:00:00.000Z',
    modified: '2026-01-01T00:00:00.000Z',
    name: `Indicator ${n} of a long list of addresses that were seen in attacks`,
    indicator_types: ['malicious-activity'],
    pattern: `[ipv4-addr:value = '11.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}']`,
    pattern_type: 'stix',
    valid_from: '2026-01-01T00:00:00Z',
  })
}

function* bundle(): Generator<string> {
  yield '{"type":"bundle","id":"bundle--11111111-1111-4111-8111-111111111111","objects":['
  for (let n = 0; n < INDICATORS; n++) yield `${n === 0 ? '' : ','}${indicator(n)}`
  yield ']}'
}

test('a bundle of 64 MiB is imported whole within bounded memory', async () => {
  const path = join(folder, 'bundle.json')
  const file = createWriteStream(path)
  await pipeline(Readable.from(bundle()), file)
  expect(file.bytesWritten / MIB).toBeGreaterThan(62)
  const flags = ['--format', 'stix', '--feed', 'large', '--tag', 'large']
  const { code, stdout, stderr, peakMib } = await measuredCommand(
    join(folder, 'data'),
    'feed',
    'import',
    path,
    ...flags,
  )
  console.log(JSON.stringify({ mib: file.bytesWritten / MIB, peakMib }))
  expect([code, stdout.split('\n')[0], stderr.slice(-500)]).toEqual([
    0,
    expect.stringContaining(`${INDICATORS} observations published, 0 lines rejected`),
    expect.any(String),
  ])
  expect(peakMib).toBeLessThan(MOST_MIB)
  expect(await reportsInLog(join(folder, 'data'), 'large')).toBe(INDICATORS)
}, 180_000)
