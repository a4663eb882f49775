import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { registerFeedImport } from '../../../../../cli/commands/feed/import.ts'
import { importPorts } from '../../../../builders/feeds/import/ports.ts'

const folder = await mkdtemp(join(tmpdir(), 'harrier-feed-import-'))

async function run(args: string[], options: { stdin?: string; signal?: AbortSignal } = {}) {
  const ports = importPorts()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  let closed = 0
  let opened = 0
  const program = new Command().exitOverride().configureOutput({ writeErr: (text) => void stderr.write(text) })
  const open = async () => {
    opened++
    return { ...ports, dataDir: folder, close: async () => void closed++ }
  }
  const signal = options.signal ?? new AbortController().signal
  registerFeedImport(program.command('feed'), open, {
    stdin: Readable.from([Buffer.from(options.stdin ?? '')]),
    stdout,
    stderr,
    now: Date.now,
    signal,
  })
  const fault = await program.parseAsync(['node', 'harrier', 'feed', 'import', ...args]).then(
    () => null,
    (error: Error) => error,
  )
  const text = (stream: PassThrough): string => stream.read()?.toString() ?? ''
  return { ports, fault, opened, closed, out: text(stdout), err: text(stderr) }
}

test('a packed file with columns is imported, rejected lines are written down', async () => {
  const path = join(folder, 'a.tsv.gz')
  const rejects = join(folder, 'a.rejected')
  await writeFile(path, gzipSync('evil.example\tmalware\n???\tx\n10.0.0.1\tx\n'))
  const args = [
    path,
    '--format',
    'tsv',
    '--columns',
    'indicator,category',
    '--feed',
    'maltrail',
    '--tag',
    'one',
    '--tag',
    'two',
  ]
  const { ports, fault, out, closed } = await run([
    ...args,
    '--trust',
    '0.5',
    '--visible-by',
    'team',
    '--rejects',
    rejects,
  ])
  expect(fault).toBeNull()
  expect(ports.observations()).toMatchObject([
    {
      value: 'evil.example',
      attributes: { category: 'malware' },
      tags: ['one', 'two'],
      audience: ['team'],
      trust: 0.5,
      reputation: -3,
    },
  ])
  const written = (await readFile(rejects, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((row) => row.split('\t'))
  expect(written).toEqual([
    ['2', 'not an indicator of a known kind', '???'],
    ['3', expect.stringContaining('publicly routable'), '10.0.0.1'],
  ])
  expect(out).toMatch(/^1 observation published, 2 lines rejected, up to line 3/)
  expect(closed).toBe(1)
})

test('the standard input is imported, and it is said that this cannot be resumed', async () => {
  const { ports, err } = await run(['-', '--format', 'lines', '--feed', 'f', '--reputation', '-1'], {
    stdin: '8.8.8.8',
  })
  expect(ports.observations()).toMatchObject([{ value: '8.8.8.8', reputation: -1 }])
  expect(err).toContain('cannot be resumed')
})

test('flags that cannot be used are named before anything is opened', async () => {
  const { fault, opened } = await run(['-', '--format', 'xml', '--feed', 'f'])
  expect(fault?.message).toContain("option '--format <format>' argument 'xml' is invalid")
  expect(opened).toBe(0)
})

test('a file that does not exist is named before anything is opened', async () => {
  const { fault, opened } = await run([join(folder, 'none'), '--format', 'lines', '--feed', 'f'])
  expect(fault?.message).toContain(join(folder, 'none'))
  expect(opened).toBe(0)
})

test('a document of another format is an error, and the log is closed', async () => {
  const { fault, closed, ports } = await run(['-', '--format', 'misp', '--feed', 'f'], { stdin: '{"a": 1}' })
  expect(fault?.message).toContain('not a MISP event export')
  expect(closed).toBe(1)
  expect(ports.observations()).toEqual([])
})

test('an interrupted import says how to go on and exits as interrupted programs do', async () => {
  const path = join(folder, 'long.txt')
  await writeFile(path, '8.8.8.8\n9.9.9.9\n')
  const { fault } = await run([path, '--format', 'lines', '--feed', 'f'], { signal: AbortSignal.abort() })
  expect(fault).toMatchObject({ exitCode: 130, message: '0 observations are published, up to line 0', goOn: null })
})

test('a damaged checkpoint stops the import until it is told to start over', async () => {
  const path = join(folder, 'damaged.txt')
  await writeFile(path, '8.8.8.8\n')
  const args = [path, '--format', 'lines', '--feed', 'f']
  await run(args, { signal: AbortSignal.abort() })
  for (const name of await readdir(join(folder, 'imports'))) await writeFile(join(folder, 'imports', name), '{')
  expect((await run(args)).fault?.message).toContain('--restart')
  expect((await run([...args, '--restart'])).fault).toBeNull()
})

test('a CSV file with semicolons is read with them', async () => {
  const args = ['-', '--format', 'csv', '--delimiter', ';', '--columns', 'indicator,tag', '--feed', 'f']
  const { ports } = await run(args, { stdin: '8.8.8.8;"a;b"\n9.9.9.9;c\n' })
  expect(ports.observations()).toMatchObject([
    { value: '8.8.8.8', tags: ['a;b'] },
    { value: '9.9.9.9', tags: ['c'] },
  ])
})

describe('restricted items', () => {
  const red = { type: 'ipv4-addr', id: 'a', value: '8.8.8.8', labels: ['tlp:red'] }
  const bundle = JSON.stringify([red, { type: 'ipv4-addr', id: 'b', value: '9.9.9.9', resolves_to_refs: ['a'] }])
  const args = ['-', '--format', 'stix', '--feed', 'f']
  const audiences = (ports: ReturnType<typeof importPorts>) =>
    ports.observations().map(({ value, audience }) => `${value} ${audience}`)

  test('are rejected with the reason, and told of at the end; the others go on', async () => {
    const rejects = join(folder, 'marked.rejected')
    const { ports, fault, out, err } = await run([...args, '--rejects', rejects], { stdin: bundle })
    expect(fault).toBeNull()
    expect(audiences(ports)).toEqual(['9.9.9.9 public'])
    expect(out).toContain('1 observation published, 2 lines rejected')
    expect(err).toContain(
      '2 of the rejected lines are restricted by their markings; use --visible-by or --marking to name',
    )
    expect(await readFile(rejects, 'utf8')).toMatch(
      /^1\trestricted \(TLP:RED\): use --visible-by.*\tip 8\.8\.8\.8\n3\t/,
    )
  })

  test('go to the groups that the import names, and to no others', async () => {
    const { ports, out, err } = await run([...args, '--visible-by', 'g2', '--visible-by', 'g1'], { stdin: bundle })
    expect(audiences(ports)).toEqual(['8.8.8.8 g1,g2', '9.9.9.9 g1,g2', '9.9.9.9 g1,g2', '8.8.8.8 g1,g2'])
    expect(out).toContain('0 lines rejected')
    expect(err).not.toContain('restricted')
  })

  test('go to the groups that are given for their marking', async () => {
    const { ports } = await run([...args, '--marking', 'red=board'], { stdin: bundle })
    expect(audiences(ports)).toEqual(['8.8.8.8 board', '9.9.9.9 public', '9.9.9.9 board', '8.8.8.8 board'])
  })

  test('are not made public by --visible-by public', async () => {
    const { ports, out } = await run([...args, '--visible-by', 'public'], { stdin: bundle })
    expect(audiences(ports)).toEqual(['9.9.9.9 public'])
    expect(out).toContain('2 lines rejected')
  })

  const shared = resolve(import.meta.dirname, '../../../../../../shared/data/misp')
  const present = existsSync(shared)
  if (!present) console.warn(`skipped: no real events in ${shared}`)

  /** By the distribution of the event: 0, 1 and 3. */
  const events: [string, boolean][] = [
    ['glupteba.misp-event.json', false],
    ['misp-machete-event.json', false],
    ['lazarus_3cx.json', false],
    ['mozi.misp-event.json', false],
    ['misp-wintervivern.event.json', true],
    ['misp-dukes-operation-ghost-event.json', true],
  ]
  for (const [file, open] of events)
    test.skipIf(!present)(`of ${file}: ${open ? 'none' : 'all of it'}`, async () => {
      const real = [join(shared, file), '--format', 'misp', '--feed', 'eset']
      const everybody = (await run(real)).ports.observations()
      if (open) expect(everybody.every(({ audience }) => audience.join() === 'public')).toBe(true)
      expect(everybody.length > 0).toBe(open)
      const team = (await run([...real, '--visible-by', 'team'])).ports.observations()
      expect(team.length).toBeGreaterThan(10)
      expect(new Set(team.map(({ audience }) => audience.join()))).toEqual(new Set(['team']))
    })
})

test('reasons of rejected lines are told, and nothing but rejected lines ends with 2', async () => {
  const args = ['-', '--format', 'lines', '--feed', 'f']
  const some = await run(args, { stdin: '10.0.0.1\n8.8.8.8\n???\n' })
  expect(some.fault).toBeNull()
  expect(some.err).toMatch(/^line 1: .+: 10\.0\.0\.1\nline 3: .+: \?\?\?$/m)
  const all = await run(args, { stdin: '10.0.0.1\n10.0.0.2\n' })
  expect(all.fault).toMatchObject({ exitCode: 2, message: expect.stringContaining('all 2 lines were rejected') })
  expect((await run(args, { stdin: '' })).fault).toBeNull()
})

test('the outcome is one document of JSON, and messages are elsewhere', async () => {
  const { out, err } = await run(['-', '--format', 'lines', '--feed', 'f', '--json'], { stdin: '8.8.8.8\n10.0.0.1\n' })
  expect(JSON.parse(out)).toMatchObject({
    published: 1,
    rejected: 1,
    line: 2,
    interrupted: false,
    firstRejected: [{ line: 2, raw: '10.0.0.1' }],
  })
  expect(err).toContain('line 2: ')
})

test('of a document that gave nothing the reasons are the advice, not columns', async () => {
  const path = join(folder, 'nothing.json')
  const object = { type: 'indicator', id: 'indicator--1', pattern: "[ipv4-addr:value != '203.0.113.1']" }
  await writeFile(path, JSON.stringify(object))
  const { fault, err } = await run([path, '--format', 'stix', '--feed', 'f'])
  expect(fault?.message).toContain('the reasons are above')
  expect(fault?.message).not.toContain('--columns')
  expect(err).toContain('it names what is excluded')
})
