import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Command } from 'commander'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AdminRequest } from '../../../../../cli/commands/admin/server-context.ts'
import { DECIDED, portions } from '../../../../../cli/commands/lookup/ask.ts'
import { registerLookup } from '../../../../../cli/commands/lookup/register.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harrier-lookup-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const KNOWN: Record<string, number> = { '203.0.113.9': -3, 'evil.com': -1, 'good.com': 2 }

const EVIDENCE = {
  reputation: -3,
  accuracy: 2,
  wellKnown: false,
  floored: false,
  standing: { sources: 2, bad: 2, good: 0, neutral: 0, expired: 0, newest: null, next: null },
}

const AROUND: Record<string, object> = {
  '198.51.100.7': { location: { country: 'Peru', asn: 64500, aso: 'Example' }, suggestions: [] },
  '203.0.113.80': { location: { country: '', asn: null, aso: '' }, suggestions: [] },
  'evli.com': { suggestions: [{ type: 'domain', value: 'evil.com' }] },
}

/** Answers as the routes do. */
const platform: AdminRequest = async (method, path, body) => {
  if (method === 'GET') {
    expect(path).toBe('/api/search/v1/entity/x-203.0.113.9/evidence')
    return EVIDENCE
  }
  if (path === '/api/search/v1/around') return AROUND[(body as { value: string }).value] ?? { suggestions: [] }
  const { values } = body as { values: string[] }
  return {
    results: values.flatMap((value) => {
      const reputation = KNOWN[value]
      const entity = { id: `x-${value}`, reputation, accuracy: 2, lastSeen: '2026-11-27T00:00:00.000Z', tags: ['ssh'] }
      if (reputation !== undefined) return [{ value, entities: [entity] }]
      return value === '198.51.100.7' ? [{ value, entities: [], coveredBy: [{ value: '198.51.100.0/24' }] }] : []
    }),
  }
}

/** Runs one command line; what it printed. */
async function lookup(args: string[], { stdin = '', ask = platform } = {}) {
  const printed = { out: '', err: '', error: '' }
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  registerLookup(program, {
    open: async () => ask,
    stdin: Readable.from([stdin].filter(Boolean).map((text) => Buffer.from(text))),
    stdout: { write: (text) => (printed.out += text) },
    stderr: { write: (text) => (printed.err += text) },
    signal: new AbortController().signal,
  })
  await program.parseAsync(['lookup', ...args], { from: 'user' }).catch((error: Error & { exitCode?: number }) => {
    printed.error = error.exitCode === 3 ? `3: ${error.message}` : error.message
  })
  return printed
}

const LOG = [
  'sshd: from 198.51.100.7 port 22',
  'sshd: from 203.0.113.9 port 22, 10.0.0.1',
  'GET evil[.]com and good.com',
  'again 203.0.113.9, other.com',
].join('\n')

test('a file: the worst first, each with its line, and a line of counts', async () => {
  const file = join(folder, 'auth.log')
  writeFileSync(file, LOG)
  const { out, error } = await lookup([file])
  expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
    'VERDICT | SCORE | TYPE | VALUE | LINE | TIMES | TAGS',
    'Malicious | -3 Alarming, accuracy medium | ip | 203.0.113.9 | 2 | 2 | ssh',
    'Malicious | -1 Poor, accuracy medium | domain | evil.com | 3 | 1 | ssh',
    'Benign | 2 Good, accuracy medium | domain | good.com | 3 | 1 | ssh',
    'In a known network | - | ip | 198.51.100.7 (in 198.51.100.0/24) | 1 | 1 | -',
    'Unknown | - | domain | other.com | 4 | 1 | -',
    '5 indicators in 4 lines: 2 malicious, 1 benign, 1 in a known network, 1 unknown',
    'left out: 1 address that is not public',
    '',
  ])
  expect(error).toBe('')
})

test('the standard input, malicious ones alone, for programs', async () => {
  const { out, err } = await lookup(['-', '--json', '--malicious'], { stdin: LOG })
  const records = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(records.map(({ verdict, value, lines }) => [verdict, value, lines])).toEqual([
    ['malicious', '203.0.113.9', [2, 4]],
    ['malicious', 'evil.com', [3]],
  ])
  expect(err).toContain('5 indicators in 4 lines: 2 malicious')
})

test('CSV that a spreadsheet does not run', async () => {
  const { out } = await lookup(['-', '--csv'], { stdin: '=cmd("a"), evil.com' })
  expect(out).toContain(
    '\r\nmalicious,-1,2,domain,evil.com,1,1,ssh,,2026-11-27T00:00:00.000Z,x-evil.com,"\'=cmd(""a""), evil.com"\r\n',
  )
})

test('a text without indicators, a missing file and two formats', async () => {
  expect((await lookup(['-'], { stdin: 'nothing here\n' })).out).toBe('0 indicators in 1 line\n')
  expect((await lookup([join(folder, 'none')])).error).toContain('no such file or folder')
  expect((await lookup(['-', '--json', '--csv'])).error).toContain('choose one of them')
})

test('one value, defanged or not, reads as the sentence of its page', async () => {
  const want = 'ip 203.0.113.9\nAlarming, medium accuracy: 2 sources say bad\nTags: ssh\n'
  expect(await lookup(['203.0.113[.]9'])).toEqual({ out: want, err: '', error: '' })
  expect((await lookup(['198.51.100.7'])).out).toBe(
    'ip 198.51.100.7\nIn a known network: not reported\nIn 198.51.100.0/24\nLocation: Peru, AS64500, Example\n',
  )
  expect((await lookup(['203.0.113.80'])).out).toBe('ip 203.0.113.80\nUnknown: not reported\n')
  expect((await lookup(['evli.com'])).out).toBe('domain evli.com\nUnknown: not reported\nDid you mean evil.com?\n')
  expect((await lookup(['hxxp://other[.]com/a'])).out).toBe('url http://other.com/a\nUnknown: not reported\n')
  const ask: AdminRequest = async () => {
    throw new Error('429: rate limit exceeded')
  }
  expect(await lookup(['evil.com'], { ask })).toEqual({ out: '', err: '', error: '429: rate limit exceeded' })
})

test('several values are told one after the other, in the order in which they were typed', async () => {
  const { out, error } = await lookup(['other.com', '203.0.113[.]9', '203.0.113.9'])
  expect(out).toBe(
    'domain other.com\nUnknown: not reported\n\nip 203.0.113.9\nAlarming, medium accuracy: 2 sources say bad\nTags: ssh\n',
  )
  expect(error).toBe('')
  const { out: records } = await lookup(['other.com', '203.0.113.9', '203.0.113[.]9', '--json'])
  expect(
    records
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { verdict: 'malicious', value: '203.0.113.9', lines: [2, 3], count: 2 },
    { verdict: 'unknown', value: 'other.com', lines: [1] },
  ])
  const many = Array.from({ length: 11 }, (_, i) => `h${i}.com`)
  expect((await lookup(many)).out).toContain('11 indicators in 11 lines: 11 unknown')
  expect((await lookup(['evil.com', '-'])).error).toBe('-: not a value; a file or - cannot be combined with values')
  expect((await lookup(Array.from({ length: 1_001 }, () => 'a.com'))).error).toContain('more than 1000 values')
})

test('the exit code says whether something is malicious, when that is asked for', async () => {
  const three = '3: 1 indicator with a negative reputation'
  expect((await lookup(['203.0.113.9', 'other.com', '--exit-code'])).error).toBe(three)
  expect((await lookup(['203.0.113.9', '--exit-code', '--json'])).error).toBe(three)
  expect((await lookup(['-', '--exit-code'], { stdin: LOG })).error).toContain('3: 2 indicators')
  expect((await lookup(['good.com', 'other.com', '--exit-code', '--csv'])).error).toBe('')
  expect((await lookup(['203.0.113.9'])).error).toBe('')
})

test('one value for programs has the form of every look-up', async () => {
  const { out, err } = await lookup(['203.0.113.9', '--json'])
  expect(JSON.parse(out)).toMatchObject({
    verdict: 'malicious',
    type: 'ip',
    value: '203.0.113.9',
    lines: [1],
    count: 1,
  })
  expect(err).toBe('1 indicator in 1 line: 1 malicious\n')
})

test('a file wins over a value of its name, and what looks like a file is no value', async () => {
  const before = process.cwd()
  process.chdir(folder)
  try {
    writeFileSync('evil.com', 'good.com')
    expect((await lookup(['evil.com'])).out).toContain('1 indicator in 1 line: 1 benign')
    for (const name of ['none.log', './evil.org', 'archive.zip'])
      expect((await lookup([name])).error).toContain('no such file or folder')
  } finally {
    process.chdir(before)
  }
})

test('what was answered before a refusal is shown, and the refusal told', async () => {
  let calls = 0
  const ask: AdminRequest = async (...given) => {
    if (++calls > 1) throw new Error('429: rate limit exceeded')
    return platform(...given)
  }
  const stdin = `evil.com\n${Array.from({ length: 2_500 }, (_, i) => `h${i}.com`).join('\n')}`
  const { out, error } = await lookup(['-'], { stdin, ask })
  expect(error).toBe('429: rate limit exceeded')
  expect(out).toContain('2501 indicators in 2501 lines: 1 malicious, 1999 unknown, 501 not looked up')
})

test('portions stay below the bounds of the platform and lose nothing', () => {
  const values = Array.from({ length: 5_000 }, (_, i) => `${'é'.repeat(500)}${i}`)
  const all = [...portions(values)]
  expect(all.flat()).toEqual(values)
  for (const portion of all) expect(Buffer.byteLength(JSON.stringify({ values: portion }))).toBeLessThan(1024 * 1024)
  expect([...portions([])]).toEqual([])
})

const DECIDING = { id: 'domain-1', type: 'domain', value: 'evil.com' }
const VERDICTS: Record<string, object> = {
  'evil.com': { known: true, type: 'domain', id: 'domain-1', lastSeen: '2026-11-27T00:00:00.000Z', reputation: -3 },
  'a.evil.com': { known: false, reputation: -3, by: DECIDING },
  '203.0.113.80': { known: true, id: 'ip-80', reputation: -1, by: { id: 'c', type: 'cidr', value: '203.0.113.0/24' } },
}

/** Answers reputations as the route does. */
const deciding: AdminRequest = async (_, path, body) => {
  if (path === '/api/search/v1/around') return { suggestions: [] }
  expect(path).toBe('/api/search/v1/reputation')
  const { values } = body as { values: string[] }
  const nothing = { known: false, reputation: 0, accuracy: 0, tags: [], wellKnown: false }
  return {
    items: values.map((value) => ({ value, ...nothing, ...VERDICTS[value], ...(VERDICTS[value] && { accuracy: 2 }) })),
  }
}

test('with --reputation what is above a value decides for it, and is named', async () => {
  const stdin = 'a.evil.com evil.com other.com 203.0.113.80\n'
  const table = await lookup(['-', '--reputation'], { stdin, ask: deciding })
  expect(table.out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
    'VERDICT | SCORE | TYPE | VALUE | LINE | TIMES | TAGS',
    'Malicious | -3 Alarming, accuracy medium | hostname | a.evil.com (by domain evil.com) | 1 | 1 | -',
    'Malicious | -3 Alarming, accuracy medium | domain | evil.com | 1 | 1 | -',
    'Malicious | -1 Poor, accuracy medium | ip | 203.0.113.80 (by cidr 203.0.113.0/24) | 1 | 1 | -',
    'Unknown | - | domain | other.com | 1 | 1 | -',
    '4 indicators in 1 line: 3 malicious, 1 unknown',
    '',
  ])
  const json = await lookup(['-', '--reputation', '--json'], { stdin, ask: deciding })
  expect(
    json.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ value, verdict, id, by }) => [value, verdict, id, by]),
  ).toEqual([
    ['a.evil.com', 'malicious', null, DECIDING],
    ['evil.com', 'malicious', 'domain-1', null],
    ['203.0.113.80', 'malicious', 'ip-80', expect.objectContaining({ value: '203.0.113.0/24' })],
    ['other.com', 'unknown', null, undefined],
  ])
  const csv = (await lookup(['-', '--reputation', '--csv'], { stdin, ask: deciding })).out.split('\r\n')
  expect(csv[0]).toMatch(/,text,by$/)
  expect(csv[1]).toMatch(/,a\.evil\.com,.*,evil\.com$/)
})

test('with --reputation one value reads as a sentence that names what decides', async () => {
  expect((await lookup(['a.evil[.]com', '--reputation'], { ask: deciding })).out).toBe(
    'hostname a.evil.com\nMalicious: not reported; the domain evil.com decides (-3 Alarming, accuracy medium)\n',
  )
  expect((await lookup(['203.0.113.80', '--reputation'], { ask: deciding })).out).toBe(
    'ip 203.0.113.80\nMalicious: reported without a reputation; the cidr 203.0.113.0/24 decides (-1 Poor, accuracy medium)\n',
  )
  expect((await lookup(['other.com', '--reputation'], { ask: deciding })).out).toBe(
    'domain other.com\nUnknown: not reported\n',
  )
  expect((await lookup(['a.evil.com', '--reputation', '--exit-code'], { ask: deciding })).error).toMatch(/^3: /)
})

test('without it nothing says what decides, and as many values are asked for at once as before', async () => {
  const { out } = await lookup(['203.0.113.9', 'evil.com', '--json'])
  expect(out).not.toContain('"by"')
  const values = Array.from({ length: 10_001 }, (_, i) => `${i}`)
  expect([...portions(values)].map(({ length }) => length)).toEqual([2_000, 2_000, 2_000, 2_000, 2_000, 1])
  expect([...portions(values, DECIDED.most)].map(({ length }) => length)).toEqual([10_000, 1])
})
