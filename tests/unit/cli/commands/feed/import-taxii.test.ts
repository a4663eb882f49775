import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { importCollection } from '../../../../../cli/commands/feed/import-taxii.ts'
import { importPorts } from '../../../../builders/feeds/import/ports.ts'

/** Servers as they are in the field, over HTTP, and the command that reads them. */
const folder = await mkdtemp(join(tmpdir(), 'harrier-import-taxii-'))
const objectOf = (n: number) => ({
  type: 'indicator',
  spec_version: '2.1',
  id: `indicator--00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  created: '2026-01-01T00:00:00.000Z',
  modified: '2026-01-01T00:00:00.000Z',
  pattern: `[ipv4-addr:value = '198.51.100.${n}']`,
  pattern_type: 'stix',
  valid_from: '2026-01-01T00:00:00Z',
})

type Server = {
  /** When each object was added, unix milliseconds. */
  added: number[]
  from?: boolean
  size?: number
  write?: (at: number) => string | undefined
}
let now: Server = { added: [] }
const server = createServer((request, response) => {
  const after = new URL(request.url!, 'http://x').searchParams.get('added_after')
  const { added, from = false, size = 3, write = (at) => new Date(at).toISOString() } = now
  const all = added
    .map((at, n) => ({ at, n: n + 1 }))
    .filter(({ at }) => after === null || at > Date.parse(after) || (from && at === Date.parse(after)))
  const some = all.slice(0, size)
  response.setHeader('content-type', 'application/taxii+json;version=2.1')
  for (const [name, one] of [
    ['First', some[0]],
    ['Last', some.at(-1)],
  ] as const) {
    const text = one === undefined ? undefined : write(one.at)
    if (text !== undefined) response.setHeader(`X-TAXII-Date-Added-${name}`, text)
  }
  response.end(JSON.stringify({ more: all.length > size, objects: some.map(({ n }) => objectOf(n)) }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => void server.close())

let feeds = 0
/** A command of its own collection; it may be run again. */
function command() {
  const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${++feeds}/`
  return async () => {
    const ports = importPorts()
    const stderr = new PassThrough()
    const open = async () => ({ ...ports, dataDir: folder, close: async () => undefined })
    const flags = { format: 'taxii', feed: 'f', trust: 0.7, tag: [], visibleBy: [], marking: [], batch: 100 }
    const process = { stdin: Readable.from([]), stdout: new PassThrough(), stderr, now: Date.now }
    const signal = new AbortController().signal
    const ran = importCollection(place, flags as never, open, { ...process, signal })
    const fault = await ran.then(
      () => null,
      (error: Error) => error.message,
    )
    const values = ports
      .observations()
      .map(({ value }) => value)
      .sort()
    return { fault, values, err: stderr.read()?.toString() ?? '' }
  }
}

const START = Date.UTC(2026, 0, 1, 10)
const addresses = (...numbers: number[]) => numbers.map((n) => `198.51.100.${n}`)

test.each([
  ['ISO with an offset', (at: number) => new Date(at).toISOString().replace('Z', '201+00:00')],
  ['the text of JavaScript', (at: number) => new Date(at).toString()],
  ['a date of HTTP', (at: number) => new Date(at).toUTCString()],
  ['no date', () => undefined],
  ['no date that can be read', () => 'soon'],
])('headers with %s lose no object, and the next run reads what is new', async (_, write) => {
  const run = command()
  now = { added: [0, 1, 2].map((n) => START + n * 1_000), size: 10, write }
  expect(await run()).toMatchObject({ fault: null, values: addresses(1, 2, 3) })
  now.added.push(Date.now() + 5_000)
  expect(await run()).toMatchObject({ fault: null, values: addresses(4) })
})

test('a server whose added_after is inclusive gives all, once', async () => {
  const run = command()
  now = { added: [0, 1, 2, 3, 4, 4, 4].map((n) => START + n), from: true }
  expect(await run()).toMatchObject({ fault: null, values: addresses(1, 2, 3, 4, 5, 6, 7) })
  expect(await run()).toMatchObject({ fault: null, values: [] })
})

test('a repeated page costs what is behind it alone, and the error names it', async () => {
  const run = command()
  now = { added: [0, 1, 2, 3, 3, 3, 3].map((n) => START + n), from: true }
  const { fault, values, err } = await run()
  expect(values).toEqual(addresses(1, 2, 3, 4, 5, 6))
  expect(fault).toContain('repeats the same page of objects that were added at 2026-01-01T10:00:00.003Z')
  expect(err).toContain('6 objects read, 6 observations published')
  now.added.push(START + 9)
  expect(await run()).toMatchObject({ fault: null, values: addresses(8) })
})
