import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDownloads, openServer } from '../../../../../cli/commands/admin/context.ts'
import { registerDownloads } from '../../../../../cli/commands/feed/download.ts'
import { registerPublishing } from '../../../../../cli/commands/feed/publish.ts'
import { EXAMPLES } from '../../../../../cli/help/examples.ts'
import { person } from '../../../../builders/accounts/people.ts'
import { ADMIN } from '../../../../builders/api/api.ts'
import { feedItem } from '../../../../builders/api/feed-lists.ts'
import { type FeedsArea, feedsArea } from '../../../../builders/api/feeds-area.ts'

let area: FeedsArea
let folder: string
beforeAll(async () => {
  area = await feedsArea()
  folder = mkdtempSync(join(tmpdir(), 'harrier-feed-'))
})
afterAll(async () => {
  await area?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs one command line; what it printed to both of its outputs. */
async function harrier(
  args: readonly string[],
  {
    stop = new AbortController(),
    stopsAt = '\0',
    caller = null as typeof ADMIN | null,
    given = { out: '', err: '' },
  } = {},
) {
  const printed = given
  const to = (name: 'out' | 'err') => ({
    write(text: string | Uint8Array) {
      printed[name] += Buffer.from(text).toString()
      if (printed.out.includes(stopsAt)) stop.abort()
    },
  })
  const config = { url: new URL(area.url).origin, caller, administrator: ADMIN, dataDir: folder }
  const feed = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  const where = [config, { HARRIER_DATA_DIR: folder }, folder] as const
  registerPublishing(feed, { open: () => openServer(...where), stdout: to('out'), stderr: to('err'), now: Date.now })
  registerDownloads(feed, {
    open: () => openDownloads(...where),
    stdout: to('out'),
    stderr: to('err'),
    signal: stop.signal,
    now: Date.now,
  })
  await feed.parseAsync(args, { from: 'user' })
  return printed
}

const published = async () =>
  JSON.parse((await harrier(['publish', 'bad addresses', '--selector', '{"types":["ip"]}', '--json'])).out)

test('a feed is published, listed, shown and changed', async () => {
  const file = join(folder, 'selector.json')
  writeFileSync(file, '{"types":["domain"],"reputation":{"lte":-1}}')
  const all = ['--group', 'public', '--cap', '100', '--no-guard', '--open']
  const { out, err } = await harrier(['publish', 'bad addresses', '--selector', '{"types":["ip"]}', ...all, '--json'])
  const made = JSON.parse(out)
  expect(err).toBe('')
  expect(made).toMatchObject({ name: 'bad addresses', groups: ['public'], cap: 100, guard: null, open: true })
  expect(JSON.parse((await harrier(['show', made.id, '--json'])).out)).toEqual(made)
  expect((await harrier(['feeds'])).out).toMatch(
    new RegExp(`ID +STATE[\\s\\S]*${made.id} +building +0 +0 +bad addresses`),
  )
  expect(JSON.parse((await harrier(['feeds', '--json'])).out)).toEqual(made)
  const changed = await harrier(['publish', 'bad names', '--id', made.id, '--selector', `@${file}`, '--json'])
  expect(JSON.parse(changed.out)).toMatchObject({ name: 'bad names', selector: { types: ['domain'] }, cap: 100 })
})

test('its list is printed, or replaces a file when it is whole', async () => {
  const { id } = await published()
  area.lists.make(id, [feedItem('198.51.100.7'), feedItem('a.example.com', 'domain')])
  const { out, err } = await harrier(['get', id, '--format', 'palo-ip'])
  expect(out).toBe('198.51.100.7\n')
  expect(err).toMatch(/^2 items, 1 of them not in this format\ncursor [\w-]+\n$/)
  const file = join(folder, 'list.txt')
  writeFileSync(file, 'old')
  await harrier(['get', id, '--output', file])
  expect(readFileSync(file, 'utf8')).toBe('198.51.100.7\na.example.com\n')
  await expect(harrier(['get', id, '--format', 'xls', '--output', file])).rejects.toThrow('no such format')
  expect(readFileSync(file, 'utf8')).toBe('198.51.100.7\na.example.com\n')
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('what changed in it is printed, and goes on from the cursor', async () => {
  const { id } = await published()
  area.lists.make(id, [feedItem('198.51.100.7')])
  const first = await harrier(['diff', id])
  expect(first.out).toBe('')
  const cursor = /^cursor (\S+)$/m.exec(first.err)![1]!
  area.lists.step(id, 'add', feedItem('evil\u001b[2J.example', 'domain'))
  area.lists.step(id, 'remove', feedItem('198.51.100.7'))
  const { out, err } = await harrier(['diff', id, '--from', cursor])
  expect(out.split('\n').map((line) => line.split('\t').slice(0, 3).join(' '))).toEqual([
    '+ evil?[2J.example domain reported',
    '- 198.51.100.7 ip reported',
    '',
  ])
  const later = /^cursor (\S+)$/m.exec(err)![1]!
  expect((await harrier(['diff', id, '--from', later])).out).toBe('')
  const lines = (await harrier(['diff', id, '--from', cursor, '--json'])).out
  expect(
    lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).seq),
  ).toEqual([1, 2])
  await expect(harrier(['diff', id, '--from', 'nonsense'])).rejects.toThrow('400: the cursor is not valid')
})

test('a follower prints each change until it is interrupted', async () => {
  const printed = { out: '', err: '' }
  const { id } = await published()
  area.lists.make(id)
  const cursor = /^cursor (\S+)$/m.exec((await harrier(['diff', id])).err)![1]!
  const following = harrier(['diff', id, '--follow', '--from', cursor], { stopsAt: '198.51.100.9', given: printed })
  area.lists.step(id, 'add', feedItem('198.51.100.8'))
  area.lists.step(id, 'add', feedItem('198.51.100.9'))
  await expect(following).rejects.toMatchObject({
    exitCode: 130,
    goOn: expect.stringMatching(`^harrier feed diff ${id} --follow --from \\S+$`),
  })
  expect(printed.out).toMatch(/^\+ 198.51.100.8\tip.*\n\+ 198.51.100.9\tip/)
})

test('a feed belongs to the user of the key pair, with its own guard', async () => {
  const { headers } = await person(area.people.accounts, { roles: ['user'] })
  const caller = { key: headers['api-key'], secret: headers['api-secret'] }
  const guard = { loss: 0.2, gain: 3, from: 50 }
  const args = ['publish', 'a', '--selector', '{}', '--guard', JSON.stringify(guard), '--json']
  const { out, err } = await harrier(args, { caller })
  const made = JSON.parse(out)
  expect([made.guard, err]).toEqual([guard, ''])
  expect(JSON.parse((await harrier(['show', made.id, '--json'], { caller })).out)).toEqual(made)
  await expect(harrier(['show', made.id])).rejects.toThrow('404')
})

test('a feed that nobody but the built-in administrator reads is told', async () => {
  const { err } = await harrier(['publish', 'a', '--selector', '{}'])
  expect(err).toMatch(/^This feed belongs to the built-in administrator, and no other user can read it: .*\n$/)
})

test.each([
  [['publish', 'x'], '--selector is required'],
  [['publish', 'x', '--selector', '{'], '--selector is not JSON'],
  [['publish', 'x', '--selector', '{}', '--guard', 'x'], '--guard is not JSON'],
  [['publish', 'x', '--selector', '{}', '--cap', '0'], '--cap'],
  [['publish', 'x', '--id', 'y', '--group', 'z'], 'cannot be changed'],
  [['publish', 'x', '--selector', '{"nope":1}'], 'nope'],
])('%j is refused: %s', async (args, why) => {
  await expect(harrier(args)).rejects.toThrow(why)
})

test('the first example works for every user, and an open feed has the group public without a word of it', async () => {
  const as = async (roles: string[], args: readonly string[]) => {
    const { headers } = await person(area.people.accounts, { roles: roles as never, groups: ['team-a'] })
    const caller = { key: headers['api-key'], secret: headers['api-secret'] }
    return JSON.parse((await harrier([...args, '--json'], { caller })).out)
  }
  const [own, open] = EXAMPLES['feed publish']!.map(([line]) => wordsOf(line).slice(1))
  expect(await as(['user'], own!)).toMatchObject({ groups: ['public', 'team-a'], open: false })
  expect(await as(['user', 'trusted'], open!)).toMatchObject({ groups: ['public'], open: true })
  await expect(as(['user'], open!)).rejects.toThrow('403: open: the role trusted is required')
})

/** Words of a line, as a shell takes them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, one, other, word]) => (one ?? other ?? word)!)
