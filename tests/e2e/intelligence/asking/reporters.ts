import { beforeAll, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { narrowedKeyOf, newUserOf, type User } from '../../../builders/accounts/users.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { callTool } from '../../../builders/search/assistants/mcp.ts'

/** Who reported and who commented, by name to those who may know it, and to nobody else (ADR 278). */
export function reporters(shared: Shared): void {
  const { platform } = shared
  const ADDRESS = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
  const VALUE = '203.0.113.21'
  const ID = entityId('ip', VALUE)
  const CUSTOMER = 'Acme of the Hidden Name'
  const OTHER = { kind: 'other', name: 'another organisation' }

  let analyst: User
  let colleague: User
  let stranger: User
  let loner: User
  let narrowed: User

  beforeAll(async () => {
    const user = () => newUserOf(platform, { roles: ['user', 'reporter'], groups: [] })
    ;[analyst, colleague, stranger, loner] = await Promise.all([user(), user(), user(), user()])
    for (const [owner, name] of [
      [analyst, CUSTOMER],
      [stranger, 'Umbrella'],
    ] as const) {
      const body = { name, email: 'billing@example.com', billingAddress: ADDRESS }
      expect((await platform.ask('/api/billing/v1/customer', body, owner.headers)).status).toBe(201)
    }
    const member = { userID: colleague.id, role: 2 }
    expect((await platform.ask('/api/billing/v1/customer/member', member, analyst.headers)).status).toBe(201)
    expect((await platform.ask('/api/billing/v1/customer/accept', {}, colleague.headers)).status).toBe(204)
    narrowed = await narrowedKeyOf(platform, colleague, { groups: ['public'] })
    const report = { type: 'ip', attributes: { ip: VALUE }, visibleBy: ['public'], reputation: -3 }
    expect((await platform.ask('/api/ingest/v1/entity', report, analyst.headers)).status).toBe(202)
    expect((await platform.ask('/api/ingest/v1/entity', report, loner.headers)).status).toBe(202)
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
    const comment = { entityID: ID, comment: 'Seen by us.', visibleBy: ['public'] }
    expect((await platform.ask('/api/ingest/v1/comment', comment, analyst.headers)).status).toBe(201)
  })

  type Shown = { userID?: string; mine?: boolean; reporter: object }

  /** What a caller is told of reporters, the analyst's first, then the one's without a customer; and of the comment. */
  async function told(headers: Record<string, string> | null) {
    const ask = async (path: string, body?: object) => (await platform.ask(path, body, headers)).body
    const evidence = await ask(`/api/search/v1/entity/${ID}/evidence`)
    const simple = await ask('/api/search/v1/entities/history/simple?order=asc', { query: VALUE })
    const query = { query: { filter: [{ term: { entityID: ID } }] } }
    const advanced = await ask('/api/search/v1/entities/history/advanced?order=asc', query)
    const comments = await ask(`/api/search/v1/comments/${ID}`)
    const kinds = new Map(
      evidence.claims.map((claim: { sourceKind: string } & Shown) => [claim.sourceKind, claim.reporter]),
    )
    const byUser = (results: Shown[]) =>
      [analyst, loner].map(({ id }) => results.find(({ userID }) => userID === id)!.reporter)
    expect(byUser(simple.results)).toEqual(byUser(advanced.results))
    return {
      claims: [kinds.get('customer'), kinds.get('user')],
      records: byUser(simple.results),
      comment: comments.results[0].reporter,
      text: JSON.stringify([evidence, simple, advanced, comments]),
    }
  }

  test('who reported is told by its own name, and its colleague is told the same once both are members', async () => {
    const you = { kind: 'you', name: 'you' }
    const customer = { kind: 'customer', name: CUSTOMER }
    expect(await told(analyst.headers)).toMatchObject({
      claims: [customer, OTHER],
      records: [you, OTHER],
      comment: you,
    })
    const named = await told(colleague.headers)
    expect(named.claims).toEqual([customer, OTHER])
    expect(named.records).toEqual([
      { kind: 'colleague', name: expect.any(String), email: expect.stringContaining('@example.com') },
      OTHER,
    ])
    expect(named.comment).toEqual(named.records[0])
    expect(await told(loner.headers)).toMatchObject({ claims: [OTHER, you], records: [OTHER, you], comment: OTHER })
  })

  test('another customer, a key without the group of the customer, and anybody are told no name', async () => {
    for (const headers of [stranger.headers, narrowed.headers, null]) {
      const { text, ...said } = await told(headers)
      expect(said).toEqual({ claims: [OTHER, OTHER], records: [OTHER, OTHER], comment: OTHER })
      expect(text).not.toContain(CUSTOMER)
      expect(text).not.toContain('@example.com')
    }
  })

  test('an assistant says the same words', async () => {
    const ask = ({ headers }: User) => callTool(platform.url, 'evidence', { id: ID }, headers)
    const names = ({ value }: { value: { claims: { sourceKind: string; reporter: string }[] } }) =>
      value.claims.filter(({ sourceKind }) => sourceKind === 'customer').map(({ reporter }) => reporter)
    expect(names(await ask(colleague))).toEqual([CUSTOMER])
    expect(names(await ask(stranger))).toEqual([OTHER.name])
  })
}
