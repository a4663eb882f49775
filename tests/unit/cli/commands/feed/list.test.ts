import { Command } from 'commander'
import { expect, test } from 'vitest'
import type { AdminRequest } from '../../../../../cli/commands/admin/server-context.ts'
import { type FeedListContext, registerFeedList } from '../../../../../cli/commands/feed/list.ts'
import { UsageError } from '../../../../../cli/wiring/process/usage.ts'

const NOW = Date.UTC(2026, 10, 27)
const registered = { name: 'osint', trust: 0.7, groups: ['public'], registeredAt: NOW - 180_000, owner: null }
const published = { id: 'f1', name: 'Bad addresses', state: 'live', items: 12, sequence: 3 }
const source = {
  source: 'feed:osint',
  kind: 'feed',
  entities: 5,
  volume: 9,
  last_report: new Date(NOW - 7_200_000).toISOString(),
}

const ask: AdminRequest = async (_method, path) =>
  path.startsWith('/api/analytics/v1/sources')
    ? { items: [source, { ...source, kind: 'user', source: null }] }
    : { items: [published] }

async function list(args: string[], given: Partial<FeedListContext> = {}) {
  const printed = { out: '', err: '' }
  const program = new Command().exitOverride()
  registerFeedList(program, {
    open: async () => ({ feeds: async () => [registered], close: async () => undefined }),
    ask: async () => ({ ask, isNamed: false }),
    stdout: { write: (text) => (printed.out += text) },
    stderr: { write: (text) => (printed.err += text) },
    now: () => NOW,
    ...given,
  })
  await program.parseAsync(['list', ...args], { from: 'user' })
  return printed
}
const lines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('what comes in and what goes out are listed under each other', async () => {
  const { out, err } = await list([])
  expect(out).toMatch(
    /^Coming in:\nNAME .*\nosint +0.7 +public +3 minutes ago +feed:osint +-\nGoing out:\nID .*\nf1 +live +12 +3 +Bad addresses\n$/,
  )
  expect(err).toBe('')
})

test('as lines of JSON each says which way it goes, with its exact time', async () => {
  const [first, second] = lines((await list(['--json'])).out)
  expect(first).toEqual({ direction: 'imported', ...registered })
  expect(second).toEqual({ direction: 'published', ...published })
  expect(lines((await list(['--json', '--published'])).out)).toHaveLength(1)
  expect(lines((await list(['--json', '--imported'])).out)).toHaveLength(1)
})

test('of a platform elsewhere, the sources of reports are what comes in', async () => {
  const { out } = await list([], {
    ask: async () => ({ ask, isNamed: true }),
    open: async () => expect.fail('no log is here'),
  })
  expect(out).toMatch(/^Coming in:\nSOURCE .*\nfeed:osint +5 +9 +2 hours ago\nGoing out:/)
})

test('beside a platform that is stopped, what goes out is left out with the reason', async () => {
  const away = async () => {
    throw new Error('no answer')
  }
  const { out, err } = await list([], { ask: async () => ({ ask: away, isNamed: false }) })
  expect(out).toContain('osint')
  expect(err).toBe('published lists are not shown: no answer\n')
  await expect(list(['--published'], { ask: async () => ({ ask: away, isNamed: false }) })).rejects.toThrow('no answer')
})

test('a file that cannot be used is named before anything is listed', async () => {
  const wrong = async () => {
    throw new UsageError('harrier.json: other users can read it')
  }
  await expect(list([], { ask: wrong })).rejects.toThrow('harrier.json')
  await expect(list(['--imported', '--published'])).rejects.toThrow('cannot be combined with')
})
