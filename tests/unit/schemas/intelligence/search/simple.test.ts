import { describe, expect, test } from 'vitest'
import { simpleClause } from '../../../../../schemas/intelligence/search/simple.ts'

const ANY = { name: 'anyAttribute', kind: 'text' }
const value = (...values: string[]) => ({ is: 'equals', field: ANY, values, caseless: true })
const words = (...given: string[]) => ({
  is: 'words',
  field: ANY,
  words: given,
  atLeast: given.length,
  lastIsPrefix: false,
})
const exactly = (name: string, kind: string, one: string | number) => ({
  is: 'equals',
  field: { name, kind },
  values: [one],
  caseless: false,
})
const tag = (one: string) => exactly('tags', 'keyword', one)
const ID = `ip-${'0a'.repeat(32)}`

describe('a simple search asks for', () => {
  test.each([
    {
      says: 'a value in its normal form',
      query: 'Evil[.]Example.COM',
      should: [value('evil[.]example.com', 'evil.example.com'), tag('evil[.]example.com')],
    },
    { says: 'a word as itself and as a tag', query: ' Mirai ', should: [value('mirai'), tag('mirai')] },
    {
      says: 'a text whole, or all of its words once',
      query: 'Cobalt strike, cobalt',
      should: [value('cobalt strike, cobalt'), words('cobalt', 'strike'), tag('cobalt strike, cobalt')],
    },
    {
      says: 'an id as an id too',
      query: ID.toUpperCase(),
      should: [value(ID), tag(ID), exactly('entityID', 'keyword', ID)],
    },
    { says: 'no words where there are none', query: '-- ..', should: [value('-- ..'), tag('-- ..')] },
    { says: 'no tag that is too long for one', query: 'a'.repeat(257), should: [value('a'.repeat(257))] },
  ])('$says', ({ query, should }) => {
    const asked = simpleClause({ query, accuracy: null, reputation: null })
    expect(asked).toEqual({ is: 'bool', must: [], mustNot: [], should, atLeast: 1 })
  })

  test('accuracy and reputation as given, 0 among them', () => {
    expect(simpleClause({ query: 'x', accuracy: 0, reputation: -3 })).toMatchObject({
      must: [exactly('accuracy', 'number', 0), exactly('reputation', 'number', -3)],
    })
  })
})
