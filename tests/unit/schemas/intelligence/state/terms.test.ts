import { describe, expect, test } from 'vitest'
import { CUT, MAX_TERMS, terms, tokens } from '../../../../../schemas/intelligence/state/terms.ts'

describe('tokens', () => {
  const cases = [
    { name: 'splits at what is neither letter nor digit', text: 'Foo-bar_baz.v2', want: ['foo', 'bar', 'baz', 'v2'] },
    {
      name: 'knows the letters of every script',
      text: 'Привет, мир! 日本 ñandú',
      want: ['привет', 'мир', '日本', 'ñandú'],
    },
    { name: 'keeps marks with their letters', text: 'हिन्दी', want: ['हिन्दी'] },
    { name: 'names every word once', text: 'a A a', want: ['a'] },
    { name: 'finds nothing in punctuation', text: '--- !', want: [] },
    {
      name: 'leaves out words that are too long',
      text: `${'a'.repeat(257)} b ${'c'.repeat(256)}`,
      want: ['b', 'c'.repeat(256)],
    },
    { name: 'counts bytes, not letters', text: `${'я'.repeat(129)} ${'я'.repeat(128)}`, want: ['я'.repeat(128)] },
  ]
  for (const { name, text, want } of cases) test(name, () => expect(tokens(text)).toEqual(want))
  test('stops at the bound', () => {
    expect(tokens(Array.from({ length: 2_000 }, (_, i) => `w${i}`).join(' '))).toHaveLength(MAX_TERMS)
  })
})

describe('terms', () => {
  test('a value that is no text is found whole only', () => {
    expect(terms('domain', 'www.example.com', {})).toEqual(['www.example.com'])
    expect(terms('mac-address', '00-1B-44-11-3A-B7', {})).toEqual(['00-1b-44-11-3a-b7'])
  })
  test('a text is found whole and by its words', () => {
    expect(terms('threat', 'cobalt strike', {})).toEqual(['cobalt strike', 'cobalt', 'strike'])
    expect(terms('value', 'Cobalt Strike', {})).toEqual(['cobalt strike', 'cobalt', 'strike'])
  })
  test('attributes are found whole, and by their words when they are text', () => {
    expect(terms('ip', '8.8.8.8', { country: 'United States', aso: 'google llc', port: '53/udp' })).toEqual([
      '8.8.8.8',
      'united states',
      'google llc',
      '53/udp',
      'google',
      'llc',
    ])
  })
  test('a whole value is kept however long it is, and before any word', () => {
    const long = Array.from({ length: 4_000 }, (_, i) => `word${i}`).join(' ')
    const found = terms('text', long, { 'email-subject': 'hello there' })
    expect(found.slice(0, 3)).toEqual([long, 'hello there', 'word0'])
    expect(found).toHaveLength(MAX_TERMS)
  })
  test('terms that lack a word say so, last', () => {
    const words = (n: number) => Array.from({ length: n }, (_, i) => `w${i}`).join(' ')
    expect(terms('ip', '8.8.8.8', { text: words(MAX_TERMS - 3) })).not.toContain(CUT)
    expect(terms('ip', '8.8.8.8', { text: `${words(MAX_TERMS - 3)} w1` })).toHaveLength(MAX_TERMS - 1)
    expect(terms('ip', '8.8.8.8', { text: words(MAX_TERMS - 2) }).at(-1)).toBe(CUT)
    expect(terms('ip', '8.8.8.8', { text: `a ${'b'.repeat(257)} c` }).slice(2)).toEqual(['a', 'c', CUT])
  })
  test('a repeated term is one term', () => {
    expect(terms('text', 'emotet', { malware: 'emotet', value: 'Emotet' })).toEqual(['emotet'])
  })
})
