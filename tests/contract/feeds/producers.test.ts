import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerFeedImport } from '../../../cli/commands/feed/import.ts'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { OBSERVATIONS, topics } from '../../../schemas/log/topics.ts'
import { importPorts } from '../../builders/feeds/import/ports.ts'
import { PREPARED_MS } from '../../clients/once.ts'
import { intelligence } from '../../clients/prepare.ts'

/** Documents that the libraries of STIX (stix2) and MISP (PyMISP) wrote, through the import into an embedded log. */

const DAY = 86_400_000

let folder: string
let missing: string | null = null
let runs = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harrier-producers-'))
  await intelligence(folder).catch((error: Error) => {
    if (process.env.CI !== undefined) throw error
    missing = `no stix2 and PyMISP: ${error.message.split('\n')[0]}`
  })
}, PREPARED_MS)
afterAll(() => rm(folder, { recursive: true }))

type Imported = { observations: Observation[]; out: string; err: string }

/** Imports a document into a log of its own; what is in the log then. */
async function imported(file: string, ...flags: string[]): Promise<Imported> {
  const dataDir = join(folder, `run-${runs++}`)
  const log = await embeddedLog({ folder: join(dataDir, 'log') })
  await log.createTopics(topics.map(({ partitions, ...topic }) => ({ ...topic, partitions: partitions.embedded })))
  const ports = importPorts()
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const program = new Command().exitOverride()
  registerFeedImport(program.command('feed'), async () => ({ ...ports, log, dataDir, close: async () => undefined }), {
    stdin: Readable.from([]),
    stdout,
    stderr,
    now: Date.now,
    signal: new AbortController().signal,
  })
  const format = file.startsWith('misp') ? 'misp' : 'stix'
  const args = [join(folder, file), '--format', format, '--feed', 'producer', '--trust', '0.5', ...flags]
  try {
    await program.parseAsync(['node', 'harrier', 'feed', 'import', ...args])
    const observations: Observation[] = []
    for (const { partition, low, high } of await log.offsets(OBSERVATIONS))
      for (const { value } of await log.read(OBSERVATIONS, partition, low, high, high)) {
        const decoded = ports.decodeObservation(value!)
        if (!decoded.ok) throw new Error(decoded.reason)
        observations.push(decoded.record)
      }
    const text = (stream: PassThrough): string => stream.read()?.toString() ?? ''
    return { observations, out: text(stdout), err: text(stderr) }
  } finally {
    await log.close()
  }
}

const about = ({ observations }: Imported, value: string) => observations.filter((one) => one.value === value)
const claim = (run: Imported, value: string) => about(run, value).find(({ reputation }) => reputation !== null)
const named = (run: Imported, observation: Observation | undefined) =>
  (observation?.links ?? [])
    .map(({ entityId }) => run.observations.find((one) => one.entityId === entityId)!.value)
    .sort()

test('of stix2: what is marked above green is told to nobody, and the rest to everybody', async ({ skip }) => {
  if (missing !== null) return skip(missing)
  const run = await imported('stix.json')
  expect(new Set(run.observations.map(({ audience }) => audience.join()))).toEqual(new Set(['public']))
  expect(JSON.stringify(run.observations)).not.toMatch(/red\.example|strict\.example|granular\.example|8\.8\.1\.4/)
  // Three indicators, and the relation of the malware with one of them.
  expect(run.out).toContain(' 4 lines rejected')
  expect(run.err).toContain('4 of the rejected lines are restricted by their markings')
})

test('of stix2: claims weigh by confidence and end with their validity', async ({ skip }) => {
  if (missing !== null) return skip(missing)
  const run = await imported('stix.json')
  expect(claim(run, '8.8.1.1')).toMatchObject({ reputation: -3, trust: 0.4 })
  expect(claim(run, '8.8.1.2')).toMatchObject({ reputation: -3, trust: 0.5 })
  const [over, ...more] = about(run, '8.8.1.3')
  expect([over!.reputation, more]).toEqual([null, []])
  expect(Date.now() - over!.observedAt).toBeGreaterThan(29 * DAY)
  expect(claim(run, '8.8.1.5')).toMatchObject({ attributes: { port: '53/udp' } })
})

test('of stix2: relations, aliases, references and sightings are kept', async ({ skip }) => {
  if (missing !== null) return skip(missing)
  const run = await imported('stix.json')
  expect(named(run, claim(run, '8.8.1.1'))).toEqual(['evilware'])
  expect(named(run, claim(run, 'evilware'))).toEqual(['badware'])
  const group = run.observations.find(({ type, reputation }) => type === 'group' && reputation !== null)
  expect(named(run, group)).toEqual(['PsExec', 'evilware', 'phishing', expect.stringMatching(/worse/i)].sort())
  expect(about(run, 'PsExec').map(({ attributes }) => attributes)).toContainEqual({ category: 'tool' })
  const [name] = about(run, 'seen.example')
  expect(named(run, name)).toEqual(['8.8.1.6'])
  const file = run.observations.find(({ type, links }) => type === 'file' && links.length > 0)
  expect(named(run, file)).toEqual(expect.arrayContaining(['a.exe']))
  expect(file!.links).toHaveLength(3)
  expect(
    named(
      run,
      run.observations.find(({ type }) => type === 'command'),
    ),
  ).toHaveLength(1)
  const seen = about(run, '8.8.1.1').find(({ links, reputation }) => reputation === null && links.length === 2)
  expect(named(run, seen)).toEqual(['8.8.1.6', 'seen.example'])
  expect(Date.now() - seen!.observedAt).toBeGreaterThan(6 * DAY)
})

test('of stix2: groups that are named for it read what is marked', async ({ skip }) => {
  if (missing !== null) return skip(missing)
  const run = await imported('stix.json', '--marking', 'red=board', '--marking', 'amber=soc')
  expect(claim(run, 'red.example')).toMatchObject({ audience: ['board'] })
  expect(claim(run, 'granular.example')).toMatchObject({ audience: ['soc'] })
  expect(about(run, 'strict.example')).toEqual([])
  // Who may not read the domain does not learn of it by the malware either.
  const linked = about(run, 'evilware').filter((one) => named(run, one).includes('red.example'))
  expect(linked.map(({ audience, reputation }) => [audience, reputation])).toEqual([[['board'], null]])
  const all = await imported('stix.json', '--visible-by', 'team')
  expect(new Set(all.observations.map(({ audience }) => audience.join()))).toEqual(new Set(['team']))
  expect(all.out).toContain(' 0 lines rejected')
})

test('of stix2: a bare observable is a document', async ({ skip }) => {
  if (missing !== null) return skip(missing)
  const { observations } = await imported('bare.json')
  expect(observations).toMatchObject([{ type: 'url', value: 'http://bare.example/', reputation: null }])
})

test('of PyMISP: distributions and tags decide who reads, for attributes inside of objects too', async ({ skip }) => {
  if (missing !== null) return skip(missing)
  const open = await imported('misp.json')
  expect(new Set(open.observations.map(({ audience }) => audience.join()))).toEqual(new Set(['public']))
  expect(open.observations.map(({ value }) => value).sort()).toEqual(['8.8.2.1', 'object.example'])
  expect(JSON.stringify(open.observations)).not.toMatch(/8\.8\.2\.2|b\.exe/)

  const given = ['amber=community', 'amber+strict=organisation', 'red=board'].flatMap((one) => ['--marking', one])
  const run = await imported('misp.json', ...given)
  const readers = (value: string) => claim(run, value)?.audience.join()
  expect(readers('8.8.2.1')).toBe('public')
  expect(readers('community.example')).toBe('community')
  for (const value of ['org.example', 'group.example', 'loud.example', '0cc175b9c0f1b6a831c399e269772661'])
    expect([value, readers(value)]).toEqual([value, 'organisation'])
  for (const value of ['tagged.example', '8.8.2.2']) expect([value, readers(value)]).toEqual([value, 'board'])
  expect(about(run, 'gone.example')).toEqual([])
  const related = about(run, 'object.example').filter(({ links }) => links.length > 0)
  expect(related.map(({ audience }) => audience)).toEqual([['organisation']])
  expect(run.out).toContain(' 0 lines rejected')
})
