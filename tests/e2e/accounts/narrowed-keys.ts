import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { narrowedKeyOf, newUserOf, type User } from '../../builders/accounts/users.ts'
import { eventually, type Platform } from '../../builders/platform/platform.ts'

const BLUE = 'blue.example.com'
const RED = 'red.example.com'
const FEEDS = '/api/feeds/v1/feeds'
const STREAM_ENDS_MS = 5_000

/** A key that was narrowed to a group beside a user in that group alone, over a whole platform (decisions 16.1). */
export const narrowedKeys = (running: () => Platform) =>
  describe('a key that was narrowed to a group', () => {
    let platform: Platform
    let wide: User
    let blue: User
    let key: User & { keyId: string }

    beforeAll(async () => {
      platform = running()
      const roles = ['user', 'reporter']
      wide = await newUserOf(platform, { roles, groups: ['blue', 'red'] })
      blue = await newUserOf(platform, { roles, groups: ['blue'] })
      key = await narrowedKeyOf(platform, wide, { groups: ['blue'] })
      await report(BLUE, ['blue'])
      await report(RED, ['red'])
      for (const value of [BLUE, RED])
        await eventually(
          () => get(`/api/search/v1/entity/${entityId('domain', value)}`, wide),
          ({ status }) => status === 200,
        )
    }, 180_000)
    async function report(value: string, visibleBy?: string[], as: User = wide) {
      const body = { type: 'domain', attributes: { domain: value }, reputation: -3, ...(visibleBy && { visibleBy }) }
      const answer = await platform.ask('/api/ingest/v1/entity', body, as.headers)
      if (answer.status !== 202 && answer.status !== 403) throw new Error(JSON.stringify(answer))
      return answer.status
    }

    const get = (path: string, as: Pick<User, 'headers'>) => platform.ask(path, undefined, as.headers)
    const found = (value: string, as: User) => get(`/api/search/v1/entity/${entityId('domain', value)}`, as)
    const send = async (method: string, path: string, as: Pick<User, 'headers'>, body?: object) => {
      const headers = { ...as.headers, ...(body && { 'content-type': 'application/json' }) }
      const answer = await fetch(platform.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      const text = await answer.text()
      return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
    }

    type Named = { reporter: { kind: string } }
    const bare = (results: Named[] | undefined) => results?.map(({ reporter: _, ...record }) => record)

    test('it finds and searches what a user in the group does', async () => {
      for (const value of [BLUE, RED]) {
        const asUser = await found(value, blue)
        expect(await found(value, key)).toMatchObject({ status: asUser.status, body: expect.anything() })
        expect(asUser.status).toBe(value === BLUE ? 200 : 404)
        const search = (as: User) =>
          platform.ask('/api/search/v1/entities/history/simple', { query: value }, as.headers)
        const [told, should] = [await search(key), await search(blue)]
        expect([told.status, bare(told.body.results)]).toEqual([should.status, bare(should.body.results)])
        // The key is of who reported it, and the user is somebody else.
        const named = [told, should].map(({ body }) => body.results?.map(({ reporter }: Named) => reporter.kind))
        expect(named).toEqual(value === BLUE ? [['you'], ['other']] : [undefined, undefined])
      }
    })

    test('it reports for its group by default, and for no other', async () => {
      expect(await report('mine.example.com', undefined, key)).toBe(202)
      await eventually(
        () => found('mine.example.com', blue),
        ({ status }) => status === 200,
      )
      expect((await get('/api/search/v1/entities', key)).status).toBe(404)
      expect(await report('mine.example.com', ['red'], key)).toBe(403)
      expect(await report('mine.example.com', ['red', 'blue'], key)).toBe(403)
    })

    /** A live stream of a caller; `ended` resolves when the platform ends it. */
    async function follow(as: Pick<User, 'headers'>, path = '/api/live/v1/changes') {
      const headers = { ...as.headers, accept: 'application/x-ndjson' }
      const response = await eventually(
        () => fetch(platform.url + path, { headers }),
        ({ status }) => status !== 429,
      )
      let text = ''
      const ended = (async () => {
        for await (const part of response.body!) text += Buffer.from(part).toString()
      })().catch(() => undefined)
      return {
        status: response.status,
        told: () => text,
        ended,
        close: () => response.body!.cancel().catch(() => undefined),
      }
    }

    /** In how many milliseconds a stream ends. */
    async function endOf(stream: { ended: Promise<void> }): Promise<number> {
      const begun = performance.now()
      await Promise.race([stream.ended, sleep(STREAM_ENDS_MS * 2)])
      return performance.now() - begun
    }

    test('its streams tell what the group reads, and end when it is narrowed or removed', async () => {
      const own = await narrowedKeyOf(platform, wide, { groups: ['blue'] })
      const stream = await follow(own)
      expect(stream.status).toBe(200)
      await report('live-red.example.com', ['red'])
      await report('live-blue.example.com', ['blue'])
      await eventually(
        async () => stream.told(),
        (told) => told.includes('live-blue.example.com'),
      )
      expect(stream.told()).not.toContain('live-red.example.com')
      const path = `/auth/v2/keypair/${own.keyId}`
      expect((await send('PATCH', path, own, { scopes: ['search', 'account'] })).status).toBe(200)
      expect(await endOf(stream)).toBeLessThan(STREAM_ENDS_MS)

      const removed = await narrowedKeyOf(platform, wide, { groups: ['blue'] })
      const second = await follow(removed)
      expect((await send('DELETE', `/auth/v2/keypair/${removed.keyId}`, removed)).status).toBe(204)
      expect(await endOf(second)).toBeLessThan(STREAM_ENDS_MS)
    })

    test('its feed holds what the group reads, and a download token of it ends with the key', async () => {
      const own = await narrowedKeyOf(platform, wide, { groups: ['blue'] })
      const selector = { types: ['domain'], reputation: { lte: -1 } }
      expect((await send('POST', FEEDS, own, { name: 'red', selector, groups: ['red'] })).status).toBe(403)
      const feed = await send('POST', FEEDS, own, { name: 'blue', selector, guard: null })
      expect(feed).toMatchObject({ status: 201, body: { groups: ['blue', 'public'] } })
      const items = `${FEEDS}/${feed.body.id}/items.text`
      const list = await eventually(
        () => send('GET', items, own),
        ({ status, body }) => status === 200 && (body as string).includes(BLUE),
      )
      expect(list.body).not.toContain(RED)

      const made = await send('POST', `${FEEDS}/${feed.body.id}/tokens`, own, { name: 'device', days: 1 })
      // It would outlive the key by what has passed since.
      expect(made.status).toBe(403)
      const longer = await platform.ask(`/auth/v2/admin/user/${wide.id}/keypair`, {
        name: 'x',
        days: 9,
        groups: ['blue'],
      })
      const maker = { headers: { 'api-key': longer.body.apiKey, 'api-secret': longer.body.apiSecret } }
      const token = await send('POST', `${FEEDS}/${feed.body.id}/tokens`, maker, { name: 'device', days: 1 })
      expect(token.status).toBe(201)
      const byToken = () => fetch(`${platform.url}/api/feeds/v1/t/${token.body.token}/items.text`).then((r) => r.status)
      expect(await byToken()).toBe(200)
      const keyPath = `/auth/v2/keypair/${longer.body.keyID}`
      expect((await send('PATCH', keyPath, maker, { scopes: ['account', 'feeds:write'] })).status).toBe(200)
      expect(await byToken()).toBe(403)
      expect((await send('POST', `${FEEDS}/${feed.body.id}/tokens`, maker, { name: 'device', days: 1 })).status).toBe(
        403,
      )
      expect((await send('DELETE', keyPath, maker)).status).toBe(204)
      expect(await byToken()).toBe(401)
      expect((await send('GET', items, key)).status).toBe(200)
      // What the key of another group may not read is not there.
      const red = await narrowedKeyOf(platform, wide, { groups: ['red'] })
      expect((await send('GET', items, red)).status).toBe(404)
    })
  })
