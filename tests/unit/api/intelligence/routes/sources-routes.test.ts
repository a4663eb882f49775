import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../../../../connectors/availability/port.ts'
import type { Query } from '../../../../../connectors/history/port.ts'
import { asAdmin, errorOf, startApi } from '../../../../builders/api/api.ts'

const PATH = '/api/analytics/v1/sources'

test('a store that knows nothing has no sources', async () => {
  const api = await startApi()
  const response = await fetch(api.url + PATH)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ items: [], sources: 0, window: { days: 30 } })
  await api.close()
})

test.each(['sort=name', 'days=0', 'days=366', 'limit=0', 'limit=1001', 'sort='])(
  '?%s is refused with its name',
  async (query) => {
    const api = await startApi()
    const response = await fetch(`${api.url}${PATH}?${query}`)
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toMatchObject({ code: 'invalid_parameter', param: query.split('=')[0] })
    await api.close()
  },
)

test('a source with records and no claims has zeros, a feed its name, and the others of a kind none', async () => {
  const rows = [
    { shown_as: 'feed:a:b', records: '2' },
    { shown_as: 'customer:', records: '7' },
  ]
  const api = await startApi({
    history: { query: async <Row>({ sql }: Query) => (sql.includes('shown_as') ? rows : []) as Row[] },
  })
  const { items } = (await (await fetch(api.url + PATH)).json()) as { items: object[] }
  expect(items).toEqual([
    expect.objectContaining({ source: null, kind: 'customer', mine: false, volume: 7, entities: 0, uniqueness: 0 }),
    expect.objectContaining({ source: 'a:b', kind: 'feed', volume: 2, lead_hours: null, last_report: null }),
  ])
  await api.close()
})

test('names are asked for by administrators alone', async () => {
  const asked: string[] = []
  const api = await startApi({
    history: {
      query: async ({ sql }: Query) => {
        asked.push(sql)
        return []
      },
    },
  })
  const of = async (headers: Record<string, string>) => {
    asked.length = 0
    await fetch(api.url + PATH, { headers })
    return asked.find((sql) => sql.includes('shown_as'))
  }
  expect(await of({})).toContain("source_kind = 'feed'")
  expect(await of(asAdmin)).not.toContain("source_kind = 'feed'")
  await api.close()
})

test.each([
  { cause: new StoreUnavailable('a store', 'does not answer'), code: 'store_unavailable', again: '1' },
  { cause: new Error('Code: 60'), code: 'aggregation_failed', again: null },
])('a failing store is a 500 $code with an error id', async ({ cause, code, again }) => {
  const api = await startApi({ history: { query: () => Promise.reject(cause) } })
  for (const path of [PATH, '/api/analytics/v1/overview']) {
    const response = await fetch(api.url + path)
    expect(response.status).toBe(500)
    expect(response.headers.get('x-error-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await errorOf(response)).toMatchObject({ code })
    expect(response.headers.get('retry-after')).toBe(again)
  }
  await api.close()
})
