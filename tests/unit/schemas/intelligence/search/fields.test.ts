import { describe, expect, test } from 'vitest'
import { fieldOf, sortFieldOf } from '../../../../../schemas/intelligence/search/fields.ts'

describe('the field of a name', () => {
  test.each([
    ['id', 'history', { name: 'id', kind: 'keyword' }],
    ['id.keyword', 'entities', { name: 'id', kind: 'keyword' }],
    ['userID', 'history', { name: 'userID', kind: 'keyword' }],
    ['userID', 'entities', null],
    ['bestReputation', 'history', null],
    ['country', 'history', null],
    ['country', 'entities', { name: 'country', kind: 'keyword' }],
    ['asn.keyword', 'entities', { name: 'asn', kind: 'keyword' }],
    ['bestReputation', 'entities', { name: 'bestReputation', kind: 'number' }],
    ['attributes.text', 'history', { name: 'attribute', attribute: 'text', kind: 'text' }],
    ['attributes.text.keyword', 'history', { name: 'attribute', attribute: 'text', kind: 'keyword' }],
    ['attributes.ip', 'history', { name: 'attribute', attribute: 'ip', kind: 'keyword' }],
    ['attributes.asn', 'history', { name: 'attribute', attribute: 'asn', kind: 'number' }],
    ['attributes.asn.keyword', 'history', null],
    ['attributes.*', 'entities', { name: 'anyAttribute', kind: 'text' }],
    ['attributes.*.keyword', 'entities', { name: 'anyAttribute', kind: 'keyword' }],
    ['attributes', 'history', null],
    ['attributes.ip.x', 'history', null],
    ['wellKnown.keyword', 'history', null],
    ['visibleBy', 'history', null],
    ['visibleBy', 'entities', null],
    ['constructor', 'history', null],
    ['', 'history', null],
  ] as const)('%s of %s', (name, surface, want) => {
    const found = fieldOf(name, surface)
    if (want === null) expect(found).toMatchObject({ reason: expect.stringContaining('is not a field') })
    else expect(found).toEqual(want)
  })
  test('a refusal lists the fields of the surface, and visibleBy is none', () => {
    const reason = (surface: 'history' | 'entities') => (fieldOf('x', surface) as { reason: string }).reason
    expect(reason('history')).toContain('userID, attributes.<name>, attributes.*')
    expect(reason('entities')).toContain('worstReputation')
    expect(reason('history') + reason('entities')).not.toContain('visibleBy')
  })
})

describe('the field to sort by', () => {
  const accepted = ['@timestamp', 'lastSeen', 'type.keyword', 'reputation', 'accuracy', 'entityID', 'attributes.text']
  test.each(accepted)('%s', (name) => expect(sortFieldOf(name, 'entities')).toHaveProperty('kind'))
  test.each(['id', 'tags', 'wellKnown', 'aso', 'attributes.*', 'visibleBy', 'value', 'userID'])('never %s', (name) => {
    expect(sortFieldOf(name, 'entities')).toMatchObject({ reason: expect.stringContaining('must be one of entityID') })
  })
})
