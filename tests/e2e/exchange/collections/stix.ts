import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { stixBundle as readBundle } from '../../../../connectors/feeds/parse/stix/bundle.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { commandWith, type Ran } from '../../../builders/platform/command.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** Entities that leave the platform as STIX 2.1, for those who may read them (decisions 15.3). */
export function stix(shared: Shared): void {
  const { folder, platform } = shared
  const GROUP = 'blue-team-of-nowhere'
  const IP = '203.0.113.9'
  const DOMAIN = 'c2.example.com'
  const [ip, domain] = [entityId('ip', IP), entityId('domain', DOMAIN)]
  /** Which entity only the group may read. */
  const SECRET = entityId('malware', 'secretware')

  type Thing = Record<string, unknown> & { type: string; id: string }
  type Answer = { status: number; media: string | null; text: string; objects: Thing[] }

  let publisher: User
  let blue: User

  async function bundle(id: string, who: User | null = null): Promise<Answer> {
    const response = await fetch(`${platform.url}/api/search/v1/entity/${id}.stix`, { headers: { ...who?.headers } })
    const text = await response.text()
    const objects = response.ok ? (JSON.parse(text).objects as Thing[]) : []
    return { status: response.status, media: response.headers.get('content-type'), text, objects }
  }

  const report = (body: object, who: User) => platform.ask('/api/ingest/v1/entity', body, who.headers)
  const of = ({ objects }: Answer, type: string): Thing[] => objects.filter((one) => one.type === type)
  const associated = (type: string, value: string) => ({ mode: 'association', type, attributes: { [type]: value } })

  beforeAll(async () => {
    publisher = await newUserOf(platform, { roles: ['reporter'], groups: ['public'] })
    blue = await newUserOf(platform, { roles: ['reporter'], groups: [GROUP] })
    const attributes = { ip: IP, text: 'A relay' }
    const associations = [associated('domain', DOMAIN)]
    await report({ type: 'ip', attributes, reputation: -3, tags: ['relay'], associations }, publisher)
    const secret = [associated('malware', 'secretware')]
    await report({ type: 'ip', attributes: { ip: IP }, reputation: -2, associations: secret }, blue)
    await eventually(
      () => Promise.all([bundle(ip, blue), bundle(domain), bundle(SECRET, blue)]),
      ([own, public_, hidden]) => of(own!, 'malware').length === 1 && public_!.status === 200 && hidden!.status === 200,
    )
  })

  test('everybody gets what everybody may read, marked as such', async () => {
    const answer = await bundle(ip)
    expect([answer.status, answer.media]).toEqual([200, 'application/stix+json;version=2.1'])
    expect(of(answer, 'marking-definition').map(({ name }) => name)).toEqual(['TLP:CLEAR'])
    expect(of(answer, 'indicator')).toMatchObject([
      { name: IP, labels: ['relay'], pattern: `[ipv4-addr:value = '${IP}']` },
    ])
    expect(of(answer, 'malware')).toEqual([])
    const [address, name] = [of(answer, 'ipv4-addr')[0]!.id, of(answer, 'domain-name')[0]!.id]
    const relations = of(answer, 'relationship').map((one) => [one.relationship_type, one.source_ref, one.target_ref])
    expect(relations).toEqual([
      ['based-on', of(answer, 'indicator')[0]!.id, address],
      ['related-to', address, name],
    ])
  })

  test('a member of a group gets more, marked as not for everybody, and no name of a group', async () => {
    const answer = await bundle(ip, blue)
    expect(of(answer, 'marking-definition').map(({ name }) => name)).toEqual(['TLP:AMBER'])
    expect(of(answer, 'malware')).toMatchObject([{ name: 'secretware' }])
    expect(answer.text).not.toContain(GROUP)
    const ids = new Set((await bundle(ip)).objects.map(({ id }) => id))
    const claims = ['indicator', 'sighting', 'relationship', 'malware']
    expect(answer.objects.filter(({ type, id }) => claims.includes(type) && ids.has(id))).toEqual([])
    expect(of(answer, 'ipv4-addr').every(({ id }) => ids.has(id))).toBe(true)
  })

  test('a sighting counts the records that its reader may read', async () => {
    for (const who of [null, blue]) {
      const { body } = await platform.ask(`/api/analytics/v1/entity/${ip}/details`, undefined, who?.headers ?? null)
      const records = body.activity.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
      expect(of(await bundle(ip, who), 'sighting')).toMatchObject([{ count: records }])
      expect(records).toBe(who === null ? 1 : 2)
    }
  })

  test('a relation that another entity stated is told in its direction', async () => {
    const answer = await bundle(domain)
    const [address, name] = [of(answer, 'ipv4-addr')[0]!.id, of(answer, 'domain-name')[0]!.id]
    expect(of(answer, 'relationship')).toContainEqual(
      expect.objectContaining({ relationship_type: 'related-to', source_ref: address, target_ref: name }),
    )
    expect(of(answer, 'observed-data')).toMatchObject([{ object_refs: [name], number_observed: 1 }])
  })

  test('the import reads the entity and its relation back', async () => {
    const { text } = await bundle(ip)
    const read = [...readBundle(JSON.parse(text), { reputation: -3, tags: [] })]
    expect(read.filter((item) => 'rejected' in item)).toEqual([])
    const entities = read.flatMap((item) => ('entity' in item ? [item.entity] : []))
    expect(new Set(entities.map(({ type, attributes }) => attributes[type]))).toEqual(new Set([IP, DOMAIN]))
    expect(entities).toContainEqual(
      expect.objectContaining({ type: 'ip', attributes: { ip: IP, text: 'a relay' }, reputation: -3, tags: ['relay'] }),
    )
    expect(entities.flatMap(({ associations = [] }) => associations)).toContainEqual(
      Object.assign(associated('domain', DOMAIN), { relationship: 'related-to' }),
    )
  })

  test('what a caller may not read is not found, as on the route beside it', async () => {
    for (const id of [SECRET, entityId('ip', '203.0.113.10')]) {
      const { body, status } = await platform.ask(`/api/search/v1/entity/${id}`, undefined, null)
      const answer = await bundle(id)
      expect([answer.status, JSON.parse(answer.text).error.message]).toEqual([status, body.error.message])
      expect([status, JSON.stringify(body).includes('not_found')]).toEqual([404, true])
    }
    expect((await bundle('no-id')).status).toBe(400)
  })

  test('the same view is the same bytes', async () => {
    expect((await bundle(ip, blue)).text).toBe((await bundle(ip, blue)).text)
  })

  const exported = (...flags: string[]): Promise<Ran> =>
    commandWith(
      {
        HARRIER_DATA_DIR: folder,
        HARRIER_URL: platform.url,
        HARRIER_ADMIN_KEY: ADMINISTRATOR['api-key'],
        HARRIER_ADMIN_SECRET: ADMINISTRATOR['api-secret'],
      },
      ...['export', 'stix', ...flags],
    )

  const SELECTOR = '{"types": ["ip", "malware"]}'
  const readBack = (text: string): unknown[] =>
    [...readBundle(JSON.parse(text), { reputation: -3, tags: [] })].map((item) => 'entity' in item && item.entity)

  test('an export of a selector has what its reader is shown, with attributes, and is the same each time', async () => {
    const file = join(folder, 'out.json')
    const open = await exported('--selector', SELECTOR, '--out', file)
    expect([open.code, open.stderr]).toEqual([0, '1 item\n'])
    const text = await readFile(file, 'utf8')
    expect(readBack(text)).toContainEqual({
      type: 'ip',
      attributes: { ip: IP, text: 'a relay' },
      reputation: -3,
      tags: ['relay'],
    })
    expect(text).toContain('TLP:CLEAR')
    const own = await exported('--selector', SELECTOR, '--visible-by', GROUP)
    expect([own.code, own.stderr]).toEqual([0, '2 items\n'])
    expect(own.stdout).toContain('secretware')
    expect(own.stdout).toContain('TLP:AMBER')
    expect(own.stdout).not.toContain(GROUP)
    // Who is in the group and in `public` reads the same, and no less.
    expect((await exported('--selector', SELECTOR, '--visible-by', 'public', '--visible-by', GROUP)).stdout).toBe(
      own.stdout,
    )
    // The relation of two that are chosen, and none that leads to an entity that is not.
    const things = JSON.parse(own.stdout).objects as Thing[]
    const ids = new Set(things.map(({ id }) => id))
    const related = things.filter((one) => one.type === 'relationship' && one.relationship_type !== 'based-on')
    const malware = things.find(({ type }) => type === 'malware')!.id
    expect(related).toMatchObject([{ relationship_type: 'related-to', target_ref: malware }])
    expect(ids.has(related[0]!.source_ref as string)).toBe(true)
    expect((await exported('--selector', SELECTOR)).stdout).toBe(text)
  })

  test('an export of a feed is the list that the platform serves', async () => {
    const body = { name: 'Bad', selector: JSON.parse(SELECTOR), groups: ['public'], open: true }
    const { body: made } = await platform.ask('/api/feeds/v1/feeds', body)
    const path = `/api/feeds/v1/feeds/${made.id}`
    await eventually(
      () => platform.ask(path),
      (answer) => answer.body.state === 'live',
    )
    const ran = await exported('--feed', made.id)
    expect(ran).toMatchObject({ code: 0, stderr: '1 item\n' })
    const served = await fetch(`${platform.url}${path}/items.stix`)
    expect(served.headers.get('x-feed-skipped')).toBe('0')
    expect(ran.stdout).toBe(await served.text())
    // Later parts find no feed that is open to everybody.
    expect((await fetch(platform.url + path, { method: 'DELETE', headers: ADMINISTRATOR })).status).toBe(204)
  })

  /** The bundle of a feed for readers in these groups, once it is the list of all these items. */
  async function listOf(who: User, groups: string[], items: number): Promise<Answer> {
    const selector = { types: ['ip', 'malware', 'url'] }
    const { body: made } = await platform.ask('/api/feeds/v1/feeds', { name: 'Related', selector, groups }, who.headers)
    const path = `/api/feeds/v1/feeds/${made.id}`
    await eventually(
      () => platform.ask(path, undefined, who.headers),
      ({ body }) => body.state === 'live' && body.items === items,
    )
    const response = await fetch(`${platform.url}${path}/items.stix`, { headers: { ...who.headers } })
    const text = await response.text()
    const objects = response.ok ? (JSON.parse(text).objects as Thing[]) : []
    return { status: response.status, media: response.headers.get('content-type'), text, objects }
  }

  test('a list says how its items are related and how often they were reported, as far as its readers may know', async () => {
    const member = await newUserOf(platform, { roles: ['user'], groups: ['public', GROUP] })
    const [url, tool] = ['http://203.0.113.9/drop', 'dropperware']
    const uses = { ...associated('malware', tool), relationship: 'hosts' }
    const leads = { ...associated('malware', 'secretware'), relationship: 'delivers' }
    const body = { type: 'url', attributes: { url }, reputation: -2 }
    await report({ ...body, associations: [uses, associated('domain', DOMAIN)] }, publisher)
    await report({ ...body, associations: [leads] }, blue)
    const [open, own] = [entityId('malware', tool), entityId('url', url)]
    await eventually(
      () => Promise.all([bundle(open), bundle(own, blue)]),
      ([first, second]) => first!.status === 200 && of(second!, 'malware').length === 2,
    )
    const typed = (answer: Answer) => {
      const nameOf = new Map(answer.objects.map(({ id, name, value }) => [id, name ?? value]))
      const relations = of(answer, 'relationship').filter((one) => one.relationship_type !== 'based-on')
      return relations
        .map((one) => [
          nameOf.get(one.source_ref as string),
          one.relationship_type,
          nameOf.get(one.target_ref as string),
        ])
        .sort()
    }
    const counts = (answer: Answer) => {
      const names = new Map(of(answer, 'indicator').map(({ id, name }) => [id, name]))
      return of(answer, 'sighting')
        .map((one) => [names.get(one.sighting_of_ref as string), one.count])
        .sort()
    }
    // What leads to the domain would lead out of the list.
    const everybody = await listOf(member, ['public'], 3)
    expect(typed(everybody)).toEqual([[url, 'hosts', tool]])
    expect(counts(everybody)).toEqual([
      [IP, 1],
      [url, 1],
    ])
    expect(everybody.text).not.toContain('secretware')
    const team = await listOf(member, ['public', GROUP], 4)
    expect(typed(team)).toEqual([
      [IP, 'related-to', 'secretware'],
      [url, 'delivers', 'secretware'],
      [url, 'hosts', tool],
    ])
    expect(counts(team)).toEqual([
      [IP, 2],
      [url, 2],
    ])
    for (const { objects } of [everybody, team]) expect(new Set(objects.map(({ id }) => id)).size).toBe(objects.length)
    const read = [...readBundle(JSON.parse(team.text), { reputation: -3, tags: [] })]
    expect(read.filter((item) => 'rejected' in item)).toEqual([])
    expect(read).toContainEqual(
      expect.objectContaining({
        entity: expect.objectContaining({ type: 'url', associations: expect.arrayContaining([uses]) }),
      }),
    )
  })
}
