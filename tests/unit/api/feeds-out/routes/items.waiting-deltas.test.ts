import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { secretHash } from '../../../../../schemas/accounts/credentials.ts'
import { newKeyPair } from '../../../../builders/accounts/accounts.ts'
import { type Person, person } from '../../../../builders/accounts/people.ts'
import { feedItem } from '../../../../builders/api/feed-lists.ts'
import { feedsArea } from '../../../../builders/api/feeds-area.ts'
import { cause } from '../../../../builders/lifecycle/events.ts'
import { during } from '../../../../builders/suite/during.ts'

type Headers = Record<string, string>

/** Time that a session and a key of these tests last. */
const LASTS_MS = 60_000

const area = during(feedsArea)
let owner: Person
let feed: string
let cursor: string
beforeEach(async () => {
  owner = await person(area.people.accounts, { roles: ['user', 'trusted'], groups: ['red'] })
  ;[feed, cursor] = await made({ groups: ['red'] })
})

async function made(given: object): Promise<[feed: string, cursor: string]> {
  const { id } = (await area.call(owner.headers, 'POST', '/feeds', { name: 'one', selector: {}, ...given })).body
  area.lists.make(id)
  return [id, await cursorOf(id)]
}

async function cursorOf(id: string): Promise<string> {
  const answer = await fetch(`${area.url}/feeds/${id}/items.text`, { headers: owner.headers })
  return answer.headers.get('x-feed-cursor')!
}

/** The answer to a caller who waits while this happens, once it is known to wait. */
async function whoWaits(headers: Headers, happens: () => unknown, at = `/feeds/${feed}`) {
  const before = area.lists.asked()
  const answer = area.call(headers, 'GET', `${at}/delta?from=${cursor}&wait=30`)
  await vi.waitFor(() => expect(area.lists.asked()).toBe(before + 1))
  await happens()
  return answer
}

const step = () => area.lists.step(feed, 'add', feedItem('198.51.100.7'))
const change = (given: object) => area.people.accounts.updateUser(owner.id, given, cause())
const newToken = async () =>
  (await area.call(owner.headers, 'POST', `/feeds/${feed}/tokens`, { name: 'fw', days: 1 })).body
const basic = (user: string, password: string): Headers => ({ authorization: `Basic ${btoa(`${user}:${password}`)}` })

test('a caller whose rights stay is given what came', async () => {
  expect(await whoWaits(owner.headers, step)).toMatchObject({ status: 200, body: { items: [{ seq: 1 }] } })
})

test('a caller who lost the group of the feed while it waited is not shown the feed', async () => {
  const answer = await whoWaits(owner.headers, async () => {
    await change({ groups: [] })
    step()
  })
  expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
})

test('a caller who lost the role while it waited is refused', async () => {
  const answer = await whoWaits(owner.headers, async () => {
    await change({ roles: [] })
    step()
  })
  expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
})

test('a user who was disabled while it waited is refused', async () => {
  const answer = await whoWaits(owner.headers, async () => {
    await change({ disabled: true })
    step()
  })
  expect(answer.status).toBe(401)
})

const ending = async () => {
  const expiresAt = area.clock.now + LASTS_MS
  const pair = newKeyPair(owner.id, { secret: 's', expiresAt })
  await area.people.accounts.createKeyPair(pair)
  const bearer = randomUUID()
  const session = { id: randomUUID(), userId: owner.id, tokenHash: secretHash(bearer), verified: true, kind: 'web' }
  await area.people.accounts.createSession({ ...session, expiresAt, createdAt: area.clock.now })
  return { pair, bearer }
}

for (const [what, headersOf] of [
  ['key', ({ pair }) => ({ 'api-key': pair.apiKey, 'api-secret': 's' })],
  ['key as Basic credentials', ({ pair }) => basic(pair.apiKey, 's')],
  ['session', ({ bearer }) => ({ authorization: `Bearer ${bearer}` })],
] as [string, (of: Awaited<ReturnType<typeof ending>>) => Headers][])
  test(`a ${what} that ended during the wait is refused`, async () => {
    const headers = headersOf(await ending())
    const answer = await whoWaits(headers, () => {
      area.clock.now += LASTS_MS
      step()
    })
    expect(answer.status).toBe(401)
  })

for (const [way, asked] of [
  ['in the path', (token: string) => [{}, `/t/${token}`]],
  ['as a password', (token: string) => [basic('anyone', token), undefined]],
] as [string, (token: string) => [Headers, string | undefined]][]) {
  test(`a download token ${way} that was revoked while it waited is refused`, async () => {
    const { token, tokenID } = await newToken()
    const [headers, at] = asked(token)
    const revoke = async () => {
      await area.call(owner.headers, 'DELETE', `/feeds/${feed}/tokens/${tokenID}`)
      step()
    }
    expect((await whoWaits(headers, revoke, at)).status).toBe(401)
  })

  test(`a download token ${way} whose maker lost the group while it waited is refused`, async () => {
    const { token } = await newToken()
    const [headers, at] = asked(token)
    const lose = async () => {
      await change({ groups: [] })
      step()
    }
    expect((await whoWaits(headers, lose, at)).status).toBe(401)
  })

  test(`a download token ${way} of a feed that was deleted while it waited is refused soon`, async () => {
    const { token } = await newToken()
    const [headers, at] = asked(token)
    expect((await whoWaits(headers, deleted, at)).status).toBe(401)
  })
}

/** The feed goes, and its list when the job has read of it. */
async function deleted(): Promise<void> {
  await area.call(owner.headers, 'DELETE', `/feeds/${feed}`)
  area.lists.remove(feed)
}

test('a feed that was deleted while its owner waited is not found, soon', async () => {
  const answer = await whoWaits(owner.headers, deleted)
  expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
})

test('an open feed that was deleted while somebody without credentials waited is not found, soon', async () => {
  ;[feed, cursor] = await made({ groups: ['public'], open: true })
  const came = await whoWaits({}, step)
  expect(came.status).toBe(200)
  cursor = came.body.cursor
  expect((await whoWaits({}, deleted)).status).toBe(404)
})
