import { expect, test } from 'vitest'
import type { FeedItem } from '../../../../../connectors/feeds/parse/item.ts'
import { usableParts } from '../../../../../connectors/feeds/parse/usable-parts.ts'
import { collect } from '../../../../builders/feeds/collect-feed.ts'

const parts = (entity: object, rest: object = {}): FeedItem[] => [
  ...usableParts({ line: 7, entity: { type: 'ip', reputation: -3, ...entity } as never, ...rest }),
]
const ip = '203.0.113.9'

test('an item that is sound stays the very same', () => {
  const item = { line: 1, entity: { type: 'ip', attributes: { ip, port: '443/tcp' }, reputation: -3 } }
  expect([...usableParts(item)][0]).toBe(item)
})

test('an odd attribute and an odd relation are left out, and told behind it with its object', () => {
  const link = (to: string) => ({ mode: 'association', type: 'domain', attributes: { domain: to } })
  const object = { id: 'x', version: '1' }
  const entity = {
    attributes: { ip, port: '0/tcp', text: 'C2' },
    associations: [link('not a name'), link('a.example')],
  }
  const [item, ...lost] = parts(entity, { object })
  expect(item).toMatchObject({ entity: { attributes: { ip, text: 'C2' }, associations: [link('a.example')] } })
  expect(Object.keys((item as { entity: { attributes: object } }).entity.attributes)).toEqual(['ip', 'text'])
  const how = 'is not usable: it is left out, and the rest is imported'
  expect(lost).toEqual([
    {
      line: 7,
      rejected: `port ${how}`,
      raw: `port 0/tcp of ip ${ip}`,
      object,
      part: { type: 'ip', property: 'port' },
    },
    expect.objectContaining({
      rejected: `relation to domain ${how}`,
      part: { type: 'ip', property: 'relation to domain' },
    }),
  ])
})

test('an odd main value is left to ingest, which says why', () => {
  expect(parts({ attributes: { ip: '10.0.0.1', port: '0/tcp' } })).toHaveLength(1)
  expect(parts({ attributes: { port: '0/tcp' } })).toHaveLength(1)
})

test('a STIX object with an odd property is read without it', async () => {
  const id = 'indicator--00000000-0000-4000-8000-000000000001'
  const pattern = `[network-traffic:dst_ref.value = '${ip}' AND network-traffic:dst_port = 0]`
  const indicator = { type: 'indicator', id, pattern, pattern_type: 'stix', created: '2026-01-01T00:00:00Z' }
  const items = await collect(JSON.stringify({ type: 'bundle', objects: [indicator] }), { format: 'stix' })
  expect(items).toMatchObject([
    { line: 1, entity: { attributes: { ip }, reputation: -3 }, object: { id } },
    { line: 2, rejected: expect.stringContaining('port'), object: { id } },
  ])
})
