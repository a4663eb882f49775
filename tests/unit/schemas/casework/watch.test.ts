import { expect, test } from 'vitest'
import { MAX_ITEM_SELECTOR_BYTES } from '../../../../schemas/casework/casework.ts'
import { MAX_MATCHED_ON, readWatchItem, watchOf } from '../../../../schemas/casework/watch.ts'

const ENTITY = `ip-${'0'.repeat(64)}`

const kept: [string, object, object][] = [
  ['an entity by its id', { kind: 'entity', value: ` ${ENTITY}` }, { value: ENTITY }],
  [
    'a value as it is given, since its type is not known',
    { kind: 'value', value: ' Evil.Example ' },
    { value: 'Evil.Example' },
  ],
  [
    'a value of a type in its normal form',
    { kind: 'value', value: 'Evil.Example', type: 'domain' },
    { value: 'evil.example' },
  ],
  ['a tag in lower case', { kind: 'tag', value: ' APT28 ' }, { value: 'apt28' }],
  ['a type', { kind: 'type', value: 'ip' }, {}],
  ['a network without its host bits', { kind: 'cidr', value: '203.0.113.7/24' }, { value: '203.0.113.0/24' }],
  ['a private network', { kind: 'cidr', value: '10.0.0.0/8' }, {}],
  ['a name in its ASCII form', { kind: 'suffix', value: 'BÜCHER.example.' }, { value: 'xn--bcher-kva.example' }],
  ['a top-level domain', { kind: 'suffix', value: 'zip' }, {}],
  [
    'a selector in normal form',
    { kind: 'selector', value: { tags: { any: ['APT', 'apt'] } } },
    { value: { tags: { any: ['apt'] }, wellKnown: false } },
  ],
  ['a selector of everything', { kind: 'selector', value: {} }, { value: { wellKnown: false } }],
  ['any match', { kind: 'match', value: {} }, {}],
  [
    'matches of a selector in normal form',
    { kind: 'match', value: { types: ['ip'], tags: { all: ['C2'] }, cidr: '203.0.113.7/24', accuracy: { gte: 2 } } },
    { value: { types: ['ip'], tags: { all: ['c2'] }, cidr: ['203.0.113.0/24'], accuracy: { gte: 2 } } },
  ],
  ['a bound of reputation', { kind: 'type', value: 'ip', max_reputation: -3 }, {}],
]
for (const [name, given, want] of kept)
  test(`an item is kept with ${name}, and reads as itself`, () => {
    const found = readWatchItem({ ...given })
    expect(found).toEqual({ ok: true, item: { ...given, ...want } })
    if (found.ok) expect(readWatchItem({ ...found.item })).toEqual(found)
  })

const refused: [string, object, string, string][] = [
  ['an unknown kind', { kind: 'person', value: 'x' }, 'kind', 'must be one of'],
  ['no kind', { value: 'x' }, 'kind', 'must be one of'],
  ['no value', { kind: 'tag' }, 'value', 'must be text'],
  ['an object for a tag', { kind: 'tag', value: {} }, 'value', 'must be text'],
  ['a blank', { kind: 'value', value: ' \t' }, 'value', 'is blank'],
  ['what is no entity id', { kind: 'entity', value: '203.0.113.7' }, 'value', 'is not an entity id'],
  ['an unknown type', { kind: 'type', value: 'ipv4' }, 'value', 'is not an entity type'],
  ['an unknown type of a value', { kind: 'value', value: 'x', type: 'ipv4' }, 'type', 'is not an entity type'],
  ['a value that its type cannot have', { kind: 'value', value: 'x', type: 'ip' }, 'value', ''],
  ['an address for a network', { kind: 'cidr', value: '203.0.113.7' }, 'value', ''],
  ['a network that is none', { kind: 'cidr', value: '203.0.113.0/33' }, 'value', ''],
  ['a URL for a name', { kind: 'suffix', value: 'https://example.com' }, 'value', ''],
  [
    'a reputation that there is not',
    { kind: 'tag', value: 'x', max_reputation: 4 },
    'max_reputation',
    'must be a whole number',
  ],
  [
    'a part of a reputation',
    { kind: 'tag', value: 'x', max_reputation: 0.5 },
    'max_reputation',
    'must be a whole number',
  ],
  ['text for a selector', { kind: 'selector', value: 'ip' }, 'value', 'must be an object'],
  [
    'an empty part of a selector',
    { kind: 'selector', value: { tags: { any: [] } } },
    'value.tags.any',
    'must not be empty',
  ],
  ['an unknown part of a selector', { kind: 'selector', value: { colour: 'red' } }, 'value.colour', 'is unknown'],
  ['a selector with a NUL', { kind: 'selector', value: { value: { in: ['a\u0000'] } } }, 'value', 'contains a NUL'],
  ['text for a match', { kind: 'match', value: 'ip' }, 'value', 'must be an object'],
  [
    'a match in a country',
    { kind: 'match', value: { country: 'Peru' } },
    'value.country',
    'is not supported in a match item',
  ],
  [
    'a match in a network of',
    { kind: 'match', value: { asn: 64_500 } },
    'value.asn',
    'is not supported in a match item',
  ],
  [
    'a match seen lately',
    { kind: 'match', value: { seenWithin: '1h' } },
    'value.seenWithin',
    'is not supported in a match item',
  ],
  [
    'a marked match',
    { kind: 'match', value: { wellKnown: false } },
    'value.wellKnown',
    'is not supported in a match item',
  ],
  ['a match of what there is not', { kind: 'match', value: { colour: 'red' } }, 'value.colour', 'is unknown'],
  [
    'a long selector',
    { kind: 'selector', value: { value: { in: ['x'.repeat(MAX_ITEM_SELECTOR_BYTES)] } } },
    'value',
    'is longer than',
  ],
]
for (const [name, given, param, message] of refused)
  test(`an item with ${name} is refused, and names what is wrong`, () => {
    expect(readWatchItem({ ...given })).toEqual({ ok: false, param, message: expect.stringContaining(message) })
    expect(watchOf({ ...given })).toBeNull()
  })

test('a value of no type is watched under each of its normal forms', () => {
  const keys = watchOf({ kind: 'value', value: 'HTTPS://Example.com/A' })!.keys
  expect(keys).toContain('https://example.com/A')
  expect(watchOf({ kind: 'value', value: 'Evil.Example' })!.keys).toEqual(
    expect.arrayContaining(['Evil.Example', 'evil.example']),
  )
})

test('an alert tells what an item names, a long selector cut', () => {
  expect(watchOf({ kind: 'cidr', value: '203.0.113.7/24' })!.on).toBe('203.0.113.0/24')
  expect(watchOf({ kind: 'selector', value: { types: ['ip'] } })!.on).toBe('{"types":["ip"],"wellKnown":false}')
  expect(watchOf({ kind: 'match', value: {} })!.on).toBe('{}')
  const many = { value: { in: Array.from({ length: 500 }, (_, n) => `host${n}.example`) } }
  expect(watchOf({ kind: 'selector', value: many })!.on).toHaveLength(MAX_MATCHED_ON)
})
