import { expect, test } from 'vitest'
import { logMatchSettings } from '../../../../../connectors/operations/match-settings/settings.ts'
import { person } from '../../../../builders/accounts/people.ts'
import { type Crew, crew } from '../../../../builders/accounts/team.ts'
import { matchArea } from '../../../../builders/api/match-area.ts'
import { cause } from '../../../../builders/lifecycle/events.ts'
import { during } from '../../../../builders/suite/during.ts'

const area = during(matchArea)

const DEFAULT = { reputation: { lte: -1 }, accuracy: { gte: 1 }, wellKnown: false }
const alone = (groups: string[] = []) => person(area.people.accounts, { roles: ['user'], groups })
const get = (headers: Record<string, string>) => area.call(headers, 'GET', '/settings')
const put = (headers: Record<string, string>, body: object) => area.call(headers, 'PUT', '/settings', body)
const assign = (id: string, groups: string[]) => area.people.accounts.updateUser(id, { groups }, cause())

async function team(): Promise<Crew> {
  const made = await crew(area.people)
  for (const { id } of [made.user, made.user2, made.owner])
    await area.people.accounts.updateUser(id, { addRole: 'user' }, cause())
  return made
}

test('before anybody chose, what would hold is told, and nothing is stored', async () => {
  const one = await team()
  const groups = [`customer-${one.customerId}`, 'public']
  const defaults = { selector: DEFAULT, groups, retentionDays: 30, sightings: null, default: true }
  expect(await get(one.user.headers)).toMatchObject({ status: 200, body: defaults })
  await assign(one.user.id, ['soc'])
  expect((await get(one.user.headers)).body).toEqual(defaults)
  const { headers } = await alone(['soc'])
  expect((await get(headers)).body).toEqual({ ...defaults, groups: ['public', 'soc'] })
  expect(area.matchSettings.all()).toEqual([])
})

test('settings are chosen, read by colleagues and chosen anew; what is not given is as by default', async () => {
  const one = await team()
  const own = `customer-${one.customerId}`
  const selector = { types: ['ip'], cidr: '203.0.113.7/24' }
  const made = await put(one.user.headers, {
    selector,
    groups: ['public', own],
    retentionDays: 7,
    sightings: { groups: [own] },
  })
  const chosen = {
    selector: { types: ['ip'], cidr: ['203.0.113.0/24'], wellKnown: false },
    groups: [own, 'public'],
    retentionDays: 7,
    sightings: { groups: [own] },
    changedAt: new Date(area.clock.now).toISOString(),
  }
  expect([made.status, made.body]).toEqual([200, chosen])
  expect((await get(one.owner.headers)).body).toEqual(chosen)
  area.clock.now += 1_000
  const again = await put(one.owner.headers, { selector: {} })
  const after = { selector: { wellKnown: false }, groups: [own, 'public'], retentionDays: 30, sightings: null }
  expect(again.body).toEqual({ ...after, changedAt: new Date(area.clock.now).toISOString() })
  expect(area.matchSettings.get(`customer:${one.customerId}`)).toMatchObject({ revision: 3, ...after })
})

test('settings that the first event stored are still told as by default', async () => {
  const { headers } = await alone()
  await area.send(headers, '{}')
  expect((await get(headers)).body).toMatchObject({ default: true, groups: ['public'] })
  expect((await get(headers)).body.changedAt).toBeUndefined()
})

test('whoever is not in all groups of the settings finds nothing, and changes nothing', async () => {
  const one = await team()
  await assign(one.user.id, ['soc'])
  expect((await put(one.user.headers, { selector: {}, groups: ['public', 'soc'] })).status).toBe(200)
  for (const answer of [
    await get(one.user2.headers),
    await put(one.user2.headers, { selector: {} }),
    await area.call(one.user2.headers, 'GET', '/matches'),
    await area.call(one.user2.headers, 'GET', '/seen?value=example.com'),
  ])
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  await assign(one.user2.id, ['soc'])
  expect((await get(one.user2.headers)).status).toBe(200)
  await assign(one.user2.id, [])
  expect((await get(one.user2.headers)).status).toBe(404)
  // It may send all the same: what it saw is of use to its customer.
  expect((await area.send(one.user2.headers, '{}')).status).toBe(202)
})

test('owners do not see each other', async () => {
  const [one, other] = [await team(), await team()]
  await put(one.user.headers, { selector: { types: ['ip'] } })
  expect((await get(other.user.headers)).body).toMatchObject({ default: true, selector: DEFAULT })
})

test('a choice of another process at the same moment is gone over, and the revision rises', async () => {
  const { headers, id } = await alone()
  const owner = `user:${id}`
  await put(headers, { selector: {} })
  const other = logMatchSettings(area.log)
  await other.refresh()
  const theirs = { ...other.get(owner)!, revision: 3, retentionDays: 5 }
  // Just before the record of this process.
  const { put: putHere } = area.matchSettings
  area.matchSettings.put = async (settings) => {
    area.matchSettings.put = putHere
    await other.put(theirs)
    return putHere(settings)
  }
  expect((await put(headers, { selector: {}, retentionDays: 9 })).body.retentionDays).toBe(9)
  await other.refresh()
  expect(other.get(owner)).toMatchObject({ revision: 4, retentionDays: 9 })
})

const faults: { name: string; body: object; status: number; param: string }[] = [
  { name: 'no selector', body: {}, status: 400, param: 'selector' },
  { name: 'a selector that contradicts itself', body: { selector: { tags: {} } }, status: 400, param: 'selector.tags' },
  {
    name: 'bounds the wrong way round',
    body: { selector: { reputation: { gte: 1, lte: 0 } } },
    status: 400,
    param: 'selector.reputation',
  },
  { name: 'an unknown member', body: { selector: {}, more: 1 }, status: 400, param: 'more' },
  { name: 'no group', body: { selector: {}, groups: [] }, status: 400, param: 'groups' },
  { name: 'a group of others', body: { selector: {}, groups: ['public', 'soc'] }, status: 403, param: 'groups[1]' },
  { name: 'no day', body: { selector: {}, retentionDays: 0 }, status: 400, param: 'retentionDays' },
  { name: '91 days', body: { selector: {}, retentionDays: 91 }, status: 400, param: 'retentionDays' },
  { name: 'half a day', body: { selector: {}, retentionDays: 1.5 }, status: 400, param: 'retentionDays' },
  {
    name: 'sightings for nobody',
    body: { selector: {}, sightings: { groups: [] } },
    status: 400,
    param: 'sightings.groups',
  },
  {
    name: 'sightings for others',
    body: { selector: {}, sightings: { groups: ['soc'] } },
    status: 403,
    param: 'sightings.groups[0]',
  },
]
for (const { name, body, status, param } of faults)
  test(`settings with ${name} are refused`, async () => {
    const { headers } = await alone()
    expect(await put(headers, body)).toMatchObject({ status, body: { error: { param } } })
  })

test('settings that no record of the log holds are refused', async () => {
  const { headers } = await alone()
  const values = Array.from({ length: 500 }, (_, i) => `${i}${'x'.repeat(2_000)}`)
  const answer = await put(headers, { selector: { value: { in: values } } })
  expect(answer).toMatchObject({ status: 400, body: { error: { param: 'selector' } } })
})
