import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ExportContext, type ExportFlags, writeExport } from '../../../../../cli/commands/export/register.ts'
import { misp } from '../../../../../schemas/feeds-out/formats/exchange/misp.ts'
import type { FeedItem } from '../../../../../schemas/feeds-out/formats/format.ts'

const folder = await mkdtemp(join(tmpdir(), 'harrier-export-'))
const item = (n: number): FeedItem => ({
  entityId: `domain-${n}`,
  type: 'domain',
  value: `a${n}.example`,
  reputation: -3,
  accuracy: 2,
  tags: [],
  firstSeen: 1_700_000_000_000,
  lastSeen: 1_700_000_000_000,
})

type Items = Awaited<ReturnType<ExportContext['openChosen']>>['items']

async function run(flags: ExportFlags, items: Items, signal?: AbortSignal) {
  const said: { out: string[]; err: string[] } = { out: [], err: [] }
  let closed = 0
  const context = {
    open: async () => () => Promise.reject(new Error('no server')),
    openChosen: async () => ({ items, related: items, close: async () => void closed++ }),
    stdout: { write: (bytes: string | Uint8Array) => said.out.push(Buffer.from(bytes).toString()) },
    stderr: { write: (text: string) => said.err.push(text) },
    signal: signal ?? new AbortController().signal,
    now: () => 1_700_000_000_000,
  }
  const fault = await writeExport(misp, flags, context, 'of no type').then(
    () => null,
    (error: Error) => error.message,
  )
  return { fault, closed, out: said.out.join(''), err: said.err.join('') }
}

test('a document is written, and what is not in it is counted', async () => {
  const { fault, closed, out, err } = await run({ selector: '{}' }, async function* () {
    yield [item(1), { ...item(2), type: 'no-such-type' }]
  })
  expect([fault, closed, err]).toEqual([null, 1, '2 items, 1 of them of no type\n'])
  expect(JSON.parse(out).Event.Attribute).toMatchObject([{ type: 'domain', value: 'a1.example' }])
})

test.each([
  { given: undefined, reads: ['public'], tlp: 'tlp:clear' },
  { given: ['public'], reads: ['public'], tlp: 'tlp:clear' },
  { given: ['soc', 'public', 'soc'], reads: ['public', 'soc'], tlp: 'tlp:amber' },
  { given: ['soc'], reads: ['soc'], tlp: 'tlp:amber' },
])('the reader is in all groups that are named: $given', async ({ given, reads, tlp }) => {
  let asked: readonly string[] = []
  const flags = given === undefined ? { selector: '{}' } : { selector: '{}', visibleBy: given }
  const { out } = await run(flags, async function* (_, groups) {
    asked = groups
    yield [item(1)]
  })
  expect(asked).toEqual(reads)
  expect(JSON.stringify(JSON.parse(out).Event.Tag)).toContain(tlp)
})

test('an interrupted export ends, closes the store and leaves the file as it was', async () => {
  const stop = new AbortController()
  const file = join(folder, 'event.json')
  await writeFile(file, 'the one before')
  const endless = async function* () {
    for (let n = 0; ; n++) {
      if (n === 3) stop.abort()
      await new Promise((resolve) => setImmediate(resolve))
      yield [item(n)]
    }
  }
  const { fault, closed } = await run({ selector: '{}', out: file }, endless, stop.signal)
  expect([fault, closed]).toEqual([`${file} is unchanged; the next export starts from the beginning`, 1])
  expect(await readFile(file, 'utf8')).toBe('the one before')
  expect(await readdir(folder)).toEqual(['event.json'])
})

test.each([
  { name: 'nothing', flags: {}, says: 'one of --feed and --selector is required' },
  { name: 'both', flags: { feed: 'a', selector: '{}' }, says: 'one of --feed and --selector is required' },
  { name: 'readers of a feed', flags: { feed: 'a', visibleBy: ['soc'] }, says: '--visible-by' },
  { name: 'a name of a feed', flags: { feed: 'a', name: 'x' }, says: '--name' },
  { name: 'no JSON', flags: { selector: '{' }, says: '--selector is not JSON' },
  { name: 'an unknown part', flags: { selector: '{"colour":1}' }, says: '--selector: selector.colour is unknown' },
  { name: 'an empty group', flags: { selector: '{}', visibleBy: [' '] }, says: '--visible-by' },
])('options that cannot be used are refused by name: $name', async ({ flags, says }) => {
  const { fault, closed } = await run(flags, async function* () {})
  expect(fault).toContain(says)
  expect(closed).toBe(0)
})
