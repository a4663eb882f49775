import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Command } from 'commander'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { registerMatch } from '../../../../../cli/commands/match/register.ts'
import { type EventsServer, eventsServer, type Reply } from '../../../../builders/api/events-server.ts'

let server: EventsServer
let folder: string
let reply: Reply | undefined
beforeEach(async () => {
  reply = undefined
  server = await eventsServer(
    () => reply,
    (line) => (line.includes('old') ? { code: 'invalid_parameter', message: 'must be newer', param: 'at' } : undefined),
  )
  folder = mkdtempSync(join(tmpdir(), 'harrier-match-'))
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs one command line; what it printed. */
async function tail(args: string[], { stdin = '', stop = new AbortController() } = {}) {
  const printed = { out: '', err: '', error: '' }
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  registerMatch(program, {
    open: async () => ({ url: server.url, credentials: { key: 'k', secret: 's' } }),
    stdin: Readable.from([stdin].filter(Boolean).map((text) => Buffer.from(text))),
    stdout: { write: (text) => (printed.out += text) },
    stderr: { write: (text) => (printed.err += text) },
    signal: stop.signal,
  })
  await program.parseAsync(['match', 'tail', ...args], { from: 'user' }).catch((error: Error) => {
    printed.error = error.message
  })
  return printed
}

const line = (name: string): string =>
  `${JSON.stringify({ timestamp: '2026-01-31T12:30:00Z', event_type: 'tls', flow_id: 7, tls: { sni: name } })}\n`

test('a log is sent, and bad lines are no failure', async () => {
  const file = join(folder, 'eve.json')
  writeFileSync(file, `${line('a.example')}no\n${line('old.example')}{"event_type":"stats"}\n${line('b.example')}`)
  const { out, err, error } = await tail(['--format', 'eve', file])
  expect(server.taken.map((text) => JSON.parse(text).fields.sni)).toEqual(['a.example', 'old.example', 'b.example'])
  expect(err).toBe('line 2: is not JSON\nline 3: at must be newer\n')
  expect([out, error]).toEqual(['5 lines read: 2 events accepted, 2 bad, 1 with nothing to match\n', ''])
})

test('the standard input is sent', async () => {
  await tail(['--format', 'ndjson', '-'], { stdin: '{"at":1,"fields":{"query":"a.example"}}' })
  expect(server.taken).toEqual(['{"at":1,"fields":{"query":"a.example"}}'])
})

test('a log is followed until the signal, and nothing is lost', async () => {
  const file = join(folder, 'eve.json')
  writeFileSync(file, line('a.example'))
  const stop = new AbortController()
  const running = tail(['--format', 'eve', '--follow', file], { stop })
  await vi.waitFor(() => expect(server.taken).toHaveLength(1), 5_000)
  reply = { status: 503 }
  appendFileSync(file, line('b.example'))
  await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(1), 5_000)
  appendFileSync(file, line('c.example'))
  reply = undefined
  await vi.waitFor(() => expect(server.taken).toHaveLength(3), 5_000)
  stop.abort()
  const { out, error } = await running
  expect(out).toBe('3 lines read: 3 events accepted, 0 bad, 0 with nothing to match\n')
  expect(error).toBe('all lines that were read have been sent; lines that are sent again count once')
})

test('SIGTERM stops it with everything sent', async () => {
  const file = join(folder, 'eve.json')
  writeFileSync(file, line('a.example'))
  const before = process.listenerCount('SIGTERM')
  const running = tail(['--format', 'eve', '--follow', file])
  await vi.waitFor(() => expect(process.listenerCount('SIGTERM')).toBe(before + 1))
  await new Promise((resolve) => setTimeout(resolve, 100))
  process.emit('SIGTERM')
  expect((await running).error).toBe('')
  expect([server.taken.length, process.listenerCount('SIGTERM')]).toEqual([1, before])
})

test('refused credentials end it', async () => {
  reply = { status: 401, headers: { 'x-error': 'missing or invalid credentials' } }
  const { error } = await tail(['--format', 'ndjson', '-'], { stdin: '{}\n' })
  expect(error).toBe('401: missing or invalid credentials')
})

test.each([
  [
    ['--format', 'syslog', '-'],
    "error: option '--format <name>' argument 'syslog' is invalid. Allowed choices are zeek, eve, ecs, ocsf, ndjson.",
  ],
  [['--format', 'eve', '/nowhere/eve.json'], '/nowhere/eve.json: no such file or folder'],
])('%j cannot be used', async (args, message) => {
  expect(await tail(args)).toEqual({ out: '', err: '', error: message })
})
