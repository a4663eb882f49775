import { describe, expect, test } from 'vitest'
import type { EdgeItem } from '../../../../connectors/edge-list/port.ts'
import { edgeAnswers } from '../../../../edge/answers/answers.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { edgeItem, itemList } from '../../../builders/edge/item-list.ts'

const over = (items: EdgeItem[]) =>
  edgeAnswers({ list: () => itemList(items), isStale: () => false, ageSeconds: () => 1 })

const ITEMS = [
  edgeItem('ip', '203.0.113.9', { accuracy: 3, tags: ['c2'] }),
  edgeItem('ip', '203.0.113.11', { reputation: 0 }),
  edgeItem('ip', '10.0.0.1'),
  edgeItem('cidr', '10.0.0.0/8'),
  edgeItem('cidr', '203.0.112.0/22', { reputation: -1 }),
  edgeItem('cidr', '203.0.113.64/26', { reputation: -2 }),
  edgeItem('cidr', '203.0.113.64/27', { reputation: 0 }),
  edgeItem('cidr', '2001:db8:40::/48'),
  edgeItem('domain', 'evil-r4.example'),
  edgeItem('domain', 'github.io', { reputation: -2 }),
  edgeItem('domain', 'mallory-r4.github.io'),
  edgeItem('domain', 'co.uk', { reputation: -2 }),
  edgeItem('domain', 's3.amazonaws.com', { reputation: -2 }),
  edgeItem('domain', 'good.evil-r4.example', { reputation: 3 }),
  edgeItem('hostname', 'host-r4.example', { reputation: -1 }),
  edgeItem('url', 'http://c2-r4.example.com/a?b=1'),
  edgeItem('email-address', 'x@mail-r4.example', { reputation: -1 }),
  edgeItem('password', '198.51.100.9'),
  edgeItem('username', 'admin r4', { reputation: 1 }),
]
const answers = over(ITEMS)

/** Who decides for a value: itself, a value above it, or nobody. */
function decider(key: string): string {
  const said = answers.answer(key)
  return said.listed ? (said.by?.value ?? 'itself') : 'nobody'
}

describe('a verdict', () => {
  test('of an item has what the item says, and its id', () => {
    expect(answers.answer('203.0.113.9')).toEqual({
      value: '203.0.113.9',
      listed: true,
      id: entityId('ip', '203.0.113.9'),
      type: 'ip',
      reputation: -3,
      accuracy: 3,
      tags: ['c2'],
    })
  })

  test('of what is below an item names it, and no id of its own', () => {
    expect(answers.answer('203.0.113.10')).toEqual({
      value: '203.0.113.10',
      listed: true,
      reputation: -1,
      accuracy: 2,
      tags: [],
      by: { id: entityId('cidr', '203.0.112.0/22'), type: 'cidr', value: '203.0.112.0/22' },
    })
  })

  test('of an item that decides nothing has its own id and the reputation of what decides', () => {
    expect(answers.answer('203.0.113.11')).toMatchObject({
      type: 'ip',
      id: entityId('ip', '203.0.113.11'),
      reputation: -1,
      by: { value: '203.0.112.0/22' },
    })
  })

  test('of anything else is two fields', () => {
    expect(Object.entries(answers.answer('198.51.100.1'))).toEqual([
      ['value', '198.51.100.1'],
      ['listed', false],
    ])
  })

  test('has the value as it was asked', () => {
    for (const value of ['EVIL-r4[.]example', ' 203.0.113.9', 'hxxp://evil-r4.example/', 'ip:203.0.113.9'])
      expect(answers.answer(value)).toMatchObject({ value, listed: true })
  })
})

describe('who decides', () => {
  test.each([
    ['203.0.113.9', 'itself'],
    ['203.0.113.10', '203.0.112.0/22'],
    ['203.0.113.65', '203.0.113.64/26'],
    ['203.0.113.64/27', '203.0.113.64/26'],
    ['203.0.113.64/26', 'itself'],
    ['203.0.113.0/24', '203.0.112.0/22'],
    ['203.0.112.0/21', 'nobody'],
    ['2001:DB8:40:0::9', '2001:db8:40::/48'],
    ['2001:db8:41::9', 'nobody'],
    ['evil-r4.example', 'itself'],
    ['a.b.evil-r4.example', 'evil-r4.example'],
    ['good.evil-r4.example', 'itself'],
    ['a.good.evil-r4.example', 'good.evil-r4.example'],
    ['notevil-r4.example', 'nobody'],
    ['example', 'nobody'],
    ['a.host-r4.example', 'host-r4.example'],
    ['http://a.evil-r4.example/x', 'evil-r4.example'],
    ['http://203.0.113.9:8080/', '203.0.113.9'],
    ['http://203.0.113.10/', '203.0.112.0/22'],
    ['http://[2001:db8:40::1]/', '2001:db8:40::/48'],
    ['http://c2-r4.example.com/a?b=1', 'itself'],
    ['http://c2-r4.example.com/a', 'nobody'],
    ['x@a.evil-r4.example', 'evil-r4.example'],
    ['x@mail-r4.example', 'itself'],
    ['y@mail-r4.example', 'nobody'],
  ])('for %s: %s', (key, by) => expect(decider(key)).toBe(by))

  test.each([
    ['github.io', 'itself'],
    ['user-r4.github.io', 'nobody'],
    ['http://user-r4.github.io/', 'nobody'],
    ['x@user-r4.github.io', 'nobody'],
    ['x.mallory-r4.github.io', 'mallory-r4.github.io'],
    ['http://mallory-r4.github.io/a', 'mallory-r4.github.io'],
    ['http://github.io/', 'nobody'],
    ['x.co.uk', 'nobody'],
    ['co.uk', 'itself'],
    ['bucket.s3.amazonaws.com', 'nobody'],
  ])('a public suffix decides for itself alone: %s, %s', (key, by) => expect(decider(key)).toBe(by))

  test('what is not public inherits nothing, and is an item by itself', () => {
    expect(decider('10.0.0.1')).toBe('itself')
    expect(answers.answer('10.0.0.1')).toMatchObject({ type: 'ip', reputation: -3 })
    for (const key of ['10.0.0.2', 'http://10.0.0.1/', 'http://10.0.0.2/', '127.0.0.1', '::1'])
      expect([key, decider(key)]).toEqual([key, 'nobody'])
  })

  test('a free text of the form of an address is shown where no address is known, and condemns nothing else', () => {
    expect(answers.answer('198.51.100.9')).toMatchObject({ type: 'password' })
    expect(decider('http://198.51.100.9/')).toBe('nobody')
    const both = over([...ITEMS, edgeItem('ip', '198.51.100.9', { reputation: 0 })])
    expect(both.answer('198.51.100.9')).toMatchObject({ type: 'ip', reputation: 0 })
    expect(answers.answer('admin r4')).toMatchObject({ type: 'username', reputation: 1 })
  })

  test('of several under one value the worst, and a network only where it is an item of that type', () => {
    const several = over([
      edgeItem('domain', 'two.example', { reputation: -1 }),
      edgeItem('hostname', 'two.example', { reputation: -2 }),
      edgeItem('password', '198.51.100.0/24'),
    ])
    expect(several.answer('two.example')).toMatchObject({ type: 'hostname', reputation: -2 })
    expect(several.answer('a.two.example')).toMatchObject({ reputation: -2, by: { type: 'hostname' } })
    expect(several.answer('198.51.100.1').listed).toBe(false)
  })
})

describe('a key with a type', () => {
  test('asks for the item of this type alone', () => {
    expect(answers.answer('password:198.51.100.9')).toMatchObject({ type: 'password' })
    expect(answers.answer('ip:198.51.100.9')).toEqual({ value: 'ip:198.51.100.9', listed: false })
    expect(answers.answer('username:203.0.113.9').listed).toBe(false)
    expect(answers.answer('hostname:evil-r4.example').listed).toBe(false)
  })

  test('is below what its type is below', () => {
    expect(decider('ip:203.0.113.10')).toBe('203.0.112.0/22')
    expect(decider('cidr:203.0.113.64/28')).toBe('203.0.113.64/26')
    expect(decider('domain:a.EVIL-R4.example')).toBe('evil-r4.example')
    expect(decider('url:http://a.evil-r4.example/')).toBe('evil-r4.example')
    expect(decider('password:a.evil-r4.example')).toBe('nobody')
    expect(decider('ip:10.0.0.1')).toBe('nobody')
  })

  test('is a value as it stands where no type can have the rest', () => {
    for (const key of ['ip:nothing', 'nothing:203.0.113.9', 'domain:', 'IP:203.0.113.9', ':203.0.113.9'])
      expect([key, answers.answer(key).listed]).toEqual([key, false])
    expect(decider('http://203.0.113.9/')).toBe('203.0.113.9')
    expect(decider('2001:db8:40::1')).toBe('2001:db8:40::/48')
  })
})

describe('as JSON', () => {
  test('it is what the answer is, with its length in bytes', () => {
    const tagged = over([
      edgeItem('username', 'хтось', { tags: ['примір'] }),
      edgeItem('domain', 'evil-r4.example', { tags: ['я'] }),
    ])
    for (const key of ['хтось', 'a.evil-r4.example', 'evil-r4.example', 'x.EVIL-r4.example']) {
      const json = tagged.json(key)!
      expect(JSON.parse(json.text)).toEqual(tagged.answer(key))
      expect(json.bytes).toBe(Buffer.byteLength(json.text))
    }
    expect(tagged.json('198.51.100.1')).toBeNull()
  })

  test('it is kept until the list changes, a miss too', () => {
    const items = [edgeItem('ip', '203.0.113.9')]
    const kept = over(items)
    expect([kept.json('203.0.113.9')?.text, kept.json('203.0.113.8')]).toEqual([expect.any(String), null])
    items.splice(0, 1, edgeItem('ip', '203.0.113.8'))
    expect([kept.json('203.0.113.9')?.text, kept.json('203.0.113.8')]).toEqual([expect.any(String), null])
    kept.changed()
    expect([kept.json('203.0.113.9'), kept.json('203.0.113.8')?.text]).toEqual([null, expect.any(String)])
  })

  test('of two spellings there are two answers', () => {
    expect(answers.json('EVIL-R4.example')!.text).toContain('"value":"EVIL-R4.example"')
    expect(answers.json('evil-r4.example')!.text).toContain('"value":"evil-r4.example"')
  })
})

test('before the first list there is nothing', () => {
  const none = edgeAnswers({ list: () => null, isStale: () => true, ageSeconds: () => null })
  expect([none.isStale(), none.size(), none.sequence(), none.ageSeconds()]).toEqual([true, 0, 0, null])
  expect([none.json('203.0.113.9'), none.isAboveListed(''), none.answer('x').listed]).toEqual([null, false, false])
})
