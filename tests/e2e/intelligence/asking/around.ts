import { beforeAll, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** What stands around values that nobody reported, to those who may know it (ADR 268). */
export function around(shared: Shared): void {
  const { platform } = shared
  const LONGEST = 'abcdefghijklmnopqrstuvwx'
  const PUBLIC: [string, string, object?][] = [
    ['cidr', '8.8.8.0/24'],
    ['ip', '8.8.8.10'],
    ['ip', '8.8.9.1'],
    ['domain', 'example.com', { ip: '8.8.8.99' }],
    ['hostname', 'login.example.com'],
    ['url', 'https://login.example.com/a'],
    ['domain', 'notexample.com'],
    ['domain', `${LONGEST}.com`],
  ]
  const HIDDEN: [string, string, object?][] = [
    ['cidr', '8.8.8.96/28'],
    ['ip', '8.8.8.66'],
    ['hostname', 'hidden.example.com', { ip: '8.8.8.99' }],
    ['domain', 'example1.com'],
  ]

  let member: User
  beforeAll(async () => {
    member = await newUserOf(platform, { roles: ['reporter'], groups: ['blue'] })
    const report = async ([type, value, more = {}]: [string, string, object?], visibleBy: string[]) => {
      const body = { type, attributes: { [type]: value, ...more }, reputation: -2, visibleBy }
      const { status, body: answer } = await platform.ask('/api/ingest/v1/entity', body, member.headers)
      expect([status, answer]).toEqual([202, expect.anything()])
    }
    for (const one of PUBLIC) await report(one, ['public'])
    for (const one of HIDDEN) await report(one, ['blue'])
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
  })

  // biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
  type Json = any
  async function around(value: string, as: User | null = null): Promise<Json> {
    const { status, body } = await platform.ask('/api/search/v1/around', { value }, as?.headers ?? null)
    expect(status).toBe(200)
    return body
  }
  const valuesOf = (list: Json): string[] => list.results.map((e: Json) => e.attributes[e.type]).sort()

  test('an address that nobody reported is located, with its networks and the names that carry it', async () => {
    const told = await around('8.8.8[.]99')
    expect(told).toMatchObject({
      id: entityId('ip', '8.8.8.99'),
      value: '8.8.8.99',
      known: false,
      location: { country: 'United States', asn: 15169, aso: expect.stringContaining('Google') },
    })
    expect(told.coveredBy.map(({ value }: Json) => value)).toEqual(['8.8.8.0/24'])
    expect(valuesOf(told.carriedBy)).toEqual(['example.com'])
    const own = await around('8.8.8.99', member)
    expect(own.coveredBy.map(({ value }: Json) => value)).toEqual(['8.8.8.96/28', '8.8.8.0/24'])
    expect(valuesOf(own.carriedBy)).toEqual(['example.com', 'hidden.example.com'])
    // To ask is no report.
    expect((await platform.ask(`/api/search/v1/entity/${told.id}`)).status).toBe(404)
  })

  test('a network lists what is known inside, itself not among it', async () => {
    expect(await around('8.8.8.0/24')).toMatchObject({ known: true, inside: { items: 1 } })
    expect(valuesOf((await around('8.8.8.0/23')).inside)).toEqual(['8.8.8.0/24', '8.8.8.10', '8.8.9.1'])
    expect(valuesOf((await around('8.8.8.0/24', member)).inside)).toEqual(['8.8.8.10', '8.8.8.66', '8.8.8.96/28'])
  })

  test('a name has those above it, known or not, and those below it', async () => {
    const told = await around('deep.login.example.com')
    expect(told.parents.map(({ value, known }: Json) => [value, known?.reputation])).toEqual([
      ['login.example.com', -2],
      ['example.com', -2],
    ])
    expect(valuesOf((await around('example.com')).below)).toEqual(['https://login.example.com/a', 'login.example.com'])
    expect(valuesOf((await around('example.com', member)).below)).toContain('hidden.example.com')
    const above = (as: User | null) => around('x.hidden.example.com', as)
    expect((await above(null)).parents[0]).toMatchObject({ value: 'hidden.example.com', known: null })
    expect((await above(member)).parents[0].known).toMatchObject({ reputation: -2 })
  })

  test('a text of no form is told what it nearly is, and nothing that the caller may not know', async () => {
    expect(await around('8,8,8,8')).toMatchObject({ type: null, suggestions: [{ type: 'ip', value: '8.8.8.8' }] })
    expect((await around('example')).suggestions).toEqual([{ type: 'domain', value: 'example.com' }])
    expect((await around('hidden')).suggestions).toEqual([])
  })

  test('an unknown name is told the known domains one slip away, and a known one none', async () => {
    const near = async (value: string, as: User | null = null) => (await around(value, as)).suggestions
    expect(await near('exmaple.com')).toEqual([{ type: 'domain', value: 'example.com' }])
    expect(await near('www.exampl.com')).toEqual([{ type: 'domain', value: 'example.com' }])
    expect(await near('example2.com')).toEqual([{ type: 'domain', value: 'example.com' }])
    expect((await near('example2.com', member)).map(({ value }: Json) => value).sort()).toEqual([
      'example.com',
      'example1.com',
    ])
    expect(await near('example.com')).toEqual([])
    expect(await near('www.example.com')).toEqual([])
    expect(await near('nothing-like-it.net')).toEqual([])
    // As many names as are ever looked up at once.
    expect(await near(`${LONGEST.slice(0, -1)}0.com`)).toEqual([{ type: 'domain', value: `${LONGEST}.com` }])
  })

  test('a blank value and a member that is unknown are refused by name', async () => {
    const ask = (body: object) => platform.ask('/api/search/v1/around', body)
    expect(await ask({ value: '  ' })).toMatchObject({
      status: 400,
      body: { error: { message: 'value: must not be blank' } },
    })
    expect(await ask({ value: 'x', more: 1 })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('more') } },
    })
  })
}
