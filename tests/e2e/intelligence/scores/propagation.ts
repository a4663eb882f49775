import { beforeAll, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** What is marked as well known floors what lies under it, wherever it was reported, within seconds. */
export function propagation(shared: Shared): void {
  const { platform } = shared
  let blue: User
  let before = 0

  beforeAll(async () => {
    before = (await platform.ask('/api/analytics/v1/overview', undefined, null)).body.malicious_count
    blue = await newUserOf(platform, { roles: ['reporter'], groups: ['blue'] })
  })

  const report = async (type: string, value: string, as?: User['headers']): Promise<void> => {
    const body = { type, attributes: { [type]: value }, reputation: -3 }
    expect((await platform.ask('/api/ingest/v1/entity', body, as)).status).toBe(202)
  }
  const mark = async (type: string, value: string, covers?: boolean): Promise<void> => {
    const body = { type, attributes: { [type]: value }, ...(covers === undefined ? {} : { covers }) }
    expect((await platform.ask('/api/ingest/v1/well-known', body)).status).toBe(202)
  }
  const search = (query: string, as: User['headers'] | null = null) =>
    platform.ask('/api/search/v1/entities/history/simple', { query }, as)

  /** The values of the triage feed, without those of the part before. */
  async function malicious(as: User['headers'] | null = null): Promise<string[]> {
    const { body } = await platform.ask('/api/analytics/v1/recent?limit=100', undefined, as)
    const values: string[] = body.items.map((item: { value: string }) => item.value)
    return values.filter((value) => !/^(203\.0\.113|198\.51\.100)\./.test(value)).sort()
  }
  const maliciousCount = async (as: User['headers'] | null = null): Promise<number> =>
    (await platform.ask('/api/analytics/v1/overview', undefined, as)).body.malicious_count - before

  test('a well-known cidr floors the addresses in it that were reported before, for every reader', async () => {
    await report('ip', '198.19.113.5')
    await report('ip', '198.19.100.5')
    await report('cidr', '198.19.113.128/25')
    await report('ip', '198.19.113.6', blue.headers)
    await eventually(malicious, (values) => values.length === 3)
    await eventually(
      () => malicious(blue.headers),
      (values) => values.length === 4,
    )

    await mark('cidr', '198.19.113.0/24')
    expect(await eventually(malicious, (values) => values.length === 1)).toEqual(['198.19.100.5'])
    const left = await eventually(
      () => malicious(blue.headers),
      (values) => values.length === 1,
    )
    expect(left).toEqual(['198.19.100.5'])
    await eventually(maliciousCount, (count) => count === 1)
    await eventually(
      () => maliciousCount(blue.headers),
      (count) => count === 1,
    )
  })

  test('the records of a floored address stay what was reported, and the answer names the networks around it', async () => {
    const { body } = await search('198.19.113.5')
    expect(body.results).toMatchObject([{ reputation: -3, wellKnown: false }])
    expect(body.coveredBy).toMatchObject([
      { id: entityId('cidr', '198.19.113.0/24'), value: '198.19.113.0/24', reputation: 0, wellKnown: true, tags: [] },
    ])
    expect((await search('198.19.100.5')).body.coveredBy).toEqual([])
    expect((await search('198.19.113.0/24')).body).not.toHaveProperty('coveredBy')
    expect((await search('198.19.113.99')).status).toBe(404)
  })

  test('what comes later under a mark does not stay negative', async () => {
    await report('ip', '198.19.113.77')
    await report('ip', '198.19.113.78', blue.headers)
    await report('ip', '192.0.2.1')
    await eventually(
      async () => ({
        found: (await search('198.19.113.78', blue.headers)).status,
        values: await malicious(blue.headers),
      }),
      ({ found, values }) => found === 200 && values.join() === '192.0.2.1,198.19.100.5',
    )
    // Another source says it again: the flag is in the row, so nothing has to be found a second time.
    await report('ip', '198.19.113.77', blue.headers)
    await eventually(
      () => search('198.19.113.77', blue.headers),
      ({ body }) => body.items === 2,
    )
    expect(await malicious(blue.headers)).toEqual(['192.0.2.1', '198.19.100.5'])
  })

  test('what nobody calls bad is covered too, and a hidden report changes nothing of that', async () => {
    const seen = (value: string, as?: User['headers']) =>
      platform.ask('/api/ingest/v1/entity', { type: 'ip', attributes: { ip: value } }, as)
    for (const value of ['198.19.113.90', '198.19.113.91', '192.0.2.90', '192.0.2.91'])
      expect((await seen(value)).status).toBe(202)
    for (const value of ['198.19.113.91', '192.0.2.91']) await report('ip', value, blue.headers)
    const known = async (covered: boolean): Promise<string[]> => {
      const query = { filter: [{ term: { covered } }, { prefix: { value: covered ? '198.19.113.9' : '192.0.2.9' } }] }
      const { body } = await platform.ask('/api/search/v1/entities/advanced', { query }, null)
      return (body.results ?? []).map((entity: { attributes: { ip: string } }) => entity.attributes.ip).sort()
    }
    const both = (values: string[]): boolean => values.length === 2
    expect(await eventually(() => known(true), both)).toEqual(['198.19.113.90', '198.19.113.91'])
    expect(await eventually(() => known(false), both)).toEqual(['192.0.2.90', '192.0.2.91'])
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
  })

  test('a domain covers names and URLs only when the mark says so', async () => {
    await mark('domain', 'example.com')
    await mark('domain', 'example.net', true)
    for (const zone of ['example.com', 'example.net']) {
      await report('domain', `www.${zone}`)
      await report('hostname', `not${zone}`)
      await report('url', `https://cdn.${zone}:8443/x`)
    }
    const floored = (values: string[]) => values.filter((v) => v.includes('example.net'))
    const values = await eventually(malicious, (all) => all.length === 6 && floored(all).length === 1)
    expect(values.filter((v) => v.includes('example'))).toEqual([
      'https://cdn.example.com:8443/x',
      'notexample.com',
      'notexample.net',
      'www.example.com',
    ])
  })

  test('a network that only others may know is not told of', async () => {
    await report('ip', '100.128.0.1')
    await report('cidr', '100.128.0.0/16', blue.headers)
    const seen = await eventually(
      () => search('100.128.0.1', blue.headers),
      ({ body }) => body.coveredBy?.length === 1,
    )
    expect(seen.body.coveredBy[0]).toMatchObject({ value: '100.128.0.0/16', reputation: -3 })
    expect((await search('100.128.0.1')).body.coveredBy).toEqual([])
  })

  test('a mark that cannot cover is refused by name', async () => {
    const body = { type: 'ip', attributes: { ip: '8.8.8.8' }, covers: true }
    const refused = await platform.ask('/api/ingest/v1/well-known', body)
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({ param: 'covers' })
  })

  const clear = async (type: string, value: string, as: User['headers'] = ADMINISTRATOR): Promise<number> => {
    const path = `/api/ingest/v1/well-known/${entityId(type, value)}`
    return (await fetch(platform.url + path, { method: 'DELETE', headers: as })).status
  }

  test('a cleared mark takes its floor from what it covered, unless another mark covers it, until it is set again', async () => {
    expect(await clear('domain', 'example.net', blue.headers)).toBe(403)
    expect(await clear('domain', 'unmarked.example')).toBe(404)
    await mark('domain', 'b.example.net', true)
    await report('domain', 'a.example.net')
    await report('domain', 'www.b.example.net')
    const floored = async () =>
      (await malicious()).filter((value) => /^(a|www\.b|www)\.example\.net$|^www\.b\./.test(value))
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
    await eventually(floored, (values) => values.length === 0)
    expect(await clear('domain', 'example.net')).toBe(202)
    expect(await eventually(floored, (values) => values.length === 2)).toEqual(['a.example.net', 'www.example.net'])
    await eventually(
      () => clear('domain', 'example.net'),
      (status) => status === 404,
    )
    await mark('domain', 'example.net', true)
    await eventually(floored, (values) => values.length === 0)
    expect(await clear('domain', 'example.net')).toBe(202)
    await eventually(floored, (values) => values.length === 2)
  })

  test('jobs that start again look under every mark', async () => {
    expect(await platform.stop()).toBe(0)
    await shared.start()
    await report('ip', '198.19.113.200')
    await eventually(
      () => search('198.19.113.200'),
      ({ status }) => status === 200,
    )
    await eventually(malicious, (values) => !values.includes('198.19.113.200'))
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
  })
}
