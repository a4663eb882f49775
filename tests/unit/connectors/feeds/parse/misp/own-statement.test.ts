import { describe, expect, test } from 'vitest'
import type { FeedItem } from '../../../../../../connectors/feeds/parse/item.ts'
import { ownStatement } from '../../../../../../connectors/feeds/parse/misp/own-statement.ts'
import { collect } from '../../../../../builders/feeds/collect-feed.ts'

const read = (event: object): Promise<FeedItem[]> =>
  collect(JSON.stringify({ Event: { info: 'x', ...event } }), { format: 'misp' })
const domain = { type: 'domain', value: 'www.evil.example', to_ids: true }

describe('the comment of an attribute that this platform wrote', () => {
  test.each([
    ['reputation -2, accuracy 3', true, { reputation: -2 }],
    ['reputation 0, accuracy 0', false, { reputation: 0 }],
    // Changed in MISP.
    ['reputation -2, accuracy 3', false, null],
    ['reputation 0, accuracy 3', true, null],
    // Nobody makes a value good with a comment.
    ['reputation 3, accuracy 3', false, null],
    ['reputation 3, accuracy 3', true, null],
    ['reputation -4, accuracy 3', true, null],
    ['my reputation -1, accuracy 3', true, null],
    ['reputation -1, accuracy 3\n', true, null],
    ['', true, null],
  ])('%j of what is fit for detection: %s', (comment, malicious, want) => {
    expect(ownStatement(comment, malicious)).toEqual(want)
  })

  test('gives the reputation and the type as they were, and is no text', async () => {
    const [item] = await read({ Attribute: [{ ...domain, comment: 'reputation -1, accuracy 2' }] })
    expect(item).toMatchObject({ entity: { type: 'domain', reputation: -1 } })
    expect(item).not.toHaveProperty('entity.attributes.text')
    const [other] = await read({ Attribute: [{ ...domain, comment: 'C&C' }] })
    expect(other).toMatchObject({ entity: { type: 'hostname', reputation: -3, attributes: { text: 'C&C' } } })
  })
})

describe('galaxies', () => {
  const galaxy = (...clusters: object[]) => ({ Galaxy: [{ name: 'g', GalaxyCluster: clusters }] })
  test('are tags where their clusters have none, once, of events and of attributes', async () => {
    const apt = { type: 'threat-actor', value: 'APT 29', tag_name: 'misp-galaxy:threat-actor="APT 29"' }
    const [item] = await read({
      Tag: [{ name: apt.tag_name }],
      ...galaxy(apt),
      Attribute: [{ ...domain, ...galaxy({ type: 'malpedia', value: 'Emotet' }, { value: 'no kind' }) }],
    })
    expect(item).toMatchObject({ entity: { tags: ['misp-galaxy:malpedia="Emotet"', apt.tag_name] } })
  })

  test('that were deleted are none', async () => {
    const [item] = await read({ ...galaxy({ type: 'a', value: 'b', deleted: true }), Attribute: [domain] })
    expect(item).not.toHaveProperty('entity.tags')
  })
})

test('an event without attributes says nothing, wrapped or not', async () => {
  const event = { uuid: '00000000-0000-4000-8000-000000000001', info: 'x' }
  expect(await read(event)).toEqual([])
  expect(await collect(JSON.stringify(event), { format: 'misp' })).toEqual([])
})
