import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf } from '../../../builders/accounts/users.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { prepared } from '../../../builders/suite/during.ts'

/** Telemetry over REST meets what is known before and after it, exactly once (decisions 14.3). */
export function matches(shared: Shared): void {
  const { platform } = shared
  const MATCH = '/api/match/v1'

  const sensor = prepared(() => newUserOf(platform, { roles: ['user', 'reporter'], groups: ['blue', 'red'] }))

  type Shown = {
    id: string
    direction: string
    withdrawnReason?: string
    matchedAt: unknown
    event: { id?: string; field: string; value: string; count?: number; host?: string }
    entity: { id: string; type: string; value: string; reputation: number }
  }

  const headers = (): Record<string, string> => ({ ...sensor.headers, 'content-type': 'application/json' })

  async function send(...events: object[]): Promise<{ line: number; id?: string; error?: object }[]> {
    const body = events.map((event) => JSON.stringify({ at: Date.now(), ...event })).join('\n')
    const how = { method: 'POST', headers: { ...headers(), 'content-type': 'application/x-ndjson' }, body }
    const answer = await fetch(`${platform.url}${MATCH}/events`, how)
    const text = await answer.text()
    expect([answer.status, text.split('\n')[0]]).toEqual([202, expect.anything()])
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  }

  const get = async (path: string) => {
    const answer = await fetch(platform.url + MATCH + path, { headers: headers() })
    return { status: answer.status, body: (await answer.json()) as { items: Shown[] } }
  }
  const matches = async (query = ''): Promise<Shown[]> => (await get(`/matches?limit=1000${query}`)).body.items
  const of = async (value: string) => (await matches()).filter(({ entity }) => entity.value === value)

  async function put(settings: object): Promise<void> {
    const how = { method: 'PUT', headers: headers(), body: JSON.stringify(settings) }
    const answer = await fetch(`${platform.url}${MATCH}/settings`, how)
    expect([answer.status, await answer.text()]).toEqual([200, expect.anything()])
  }

  async function report(type: string, value: string, given: object = {}): Promise<void> {
    const attributes = { [type]: value }
    const body = { type, attributes, reputation: -3, visibleBy: ['public'], ...given }
    const answer = await platform.ask('/api/ingest/v1/entity', body, sensor.headers)
    expect([answer.status, answer.body]).toEqual([202, expect.anything()])
  }

  /** Every group has read everything. */
  const settled = () =>
    eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )

  const name = (): string => `${randomUUID()}.example`

  test('an event meets what is there, and what comes later meets the ledger, each once', async () => {
    const [evil, later] = [name(), name()]
    await report('domain', evil)
    await settled()
    const [answered] = await send(
      { kind: 'dns', host: 'pc1', ref: 'r1', fields: { query: `www.${evil}`, answers: ['198.51.100.1'] } },
      { kind: 'dns', host: 'pc1', fields: { query: `a.b.${later}` } },
      { kind: 'dns', host: 'pc2', fields: { query: `a.b.${later}` } },
    )
    const [forward] = await eventually(
      () => of(evil),
      (found) => found.length > 0,
    )
    expect(forward).toMatchObject({
      direction: 'forward',
      event: { id: answered!.id, field: 'query', value: `www.${evil}`, host: 'pc1' },
      entity: { id: entityId('domain', evil), reputation: -3 },
    })
    expect(await of(later)).toEqual([])
    await report('domain', later)
    const [retro] = await eventually(
      () => of(later),
      (found) => found.length > 0,
    )
    expect(retro).toMatchObject({ direction: 'retro', event: { field: 'query', value: `a.b.${later}`, count: 2 } })
    await settled()
    expect([(await of(evil)).length, (await of(later)).length]).toEqual([1, 1])
  })

  test('an id counts once, addresses meet networks, and private ones nothing', async () => {
    await report('cidr', '203.0.112.0/23')
    await settled()
    const id = randomUUID()
    await send({ id, fields: { dst: '203.0.113.9' } }, { id, fields: { dst: '203.0.113.10' } })
    await send({ id, fields: { dst: '203.0.113.9' } }, { fields: { dst: '10.0.0.1' } })
    await eventually(
      () => of('203.0.112.0/23'),
      (found) => found.length > 0,
    )
    await settled()
    expect((await of('203.0.112.0/23')).map(({ event }) => event.value)).toEqual(['203.0.113.9'])
    const seen = await get('/seen?value=203.0.113.0/24')
    expect(seen.body).toMatchObject({ count: 1, items: [{ value: '203.0.113.9', field: 'dst', count: 1 }] })
    expect((await get('/seen?value=10.0.0.1')).body).toMatchObject({ count: 0, items: [] })
  })

  test('a verdict withdraws matches, its end restores them under the same id', async () => {
    const evil = name()
    await report('domain', evil)
    await settled()
    await put({ selector: { reputation: { lte: -1 } } })
    await send({ fields: { sni: evil } })
    const [match] = await eventually(
      () => of(evil),
      (found) => found.length > 0,
    )
    const mark = await platform.ask('/api/ingest/v1/well-known', { type: 'domain', attributes: { domain: evil } })
    expect(mark.status).toBe(202)
    const [withdrawn] = await eventually(
      () => of(evil),
      ([one]) => one?.withdrawnReason !== undefined,
    )
    expect(withdrawn).toMatchObject({ id: match!.id, withdrawnReason: 'marked' })
    const cleared = await fetch(`${platform.url}/api/ingest/v1/well-known/${entityId('domain', evil)}`, {
      method: 'DELETE',
      headers: ADMINISTRATOR,
    })
    expect(cleared.status).toBe(202)
    const [restored] = await eventually(
      () => of(evil),
      ([one]) => one?.withdrawnReason === undefined,
    )
    expect(restored!.id).toBe(match!.id)
  })

  test('new settings withdraw what they leave out, and take in what the ledger has', async () => {
    const [bad, worse] = [name(), name()]
    await report('domain', bad, { reputation: -1 })
    await report('domain', worse, { reputation: -3, visibleBy: ['red'] })
    await put({ selector: { reputation: { lte: -1 } }, groups: ['public'] })
    await settled()
    await send({ fields: { query: bad } }, { fields: { query: worse } })
    await eventually(
      () => of(bad),
      (found) => found.length > 0,
    )
    await settled()
    expect(await of(worse)).toEqual([])
    await put({ selector: { reputation: { lte: -2 } }, groups: ['public', 'red'] })
    await eventually(
      () => of(worse),
      (found) => found.length > 0,
    )
    const [left] = await eventually(
      () => of(bad),
      ([one]) => one?.withdrawnReason !== undefined,
    )
    expect(left!.withdrawnReason).toMatch(/selector|groups/)
  })
}
