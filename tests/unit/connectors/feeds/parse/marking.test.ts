import { describe, expect, test } from 'vitest'
import {
  isRestricted,
  isStricter,
  MARKINGS,
  markingOfTag,
  markingOfWord,
  strictest,
} from '../../../../../connectors/feeds/parse/marking.ts'

describe('a marking', () => {
  const tags: [string, string | undefined][] = [
    ['tlp:red', 'red'],
    ['TLP:RED', 'red'],
    ['tlp:"red"', 'red'],
    ['  Tlp:  Red ', 'red'],
    ['tlp="red"', 'red'],
    ['tlp-red', 'red'],
    ['TLP RED', 'red'],
    ['tlp:amber', 'amber'],
    ['tlp:amber+strict', 'amber+strict'],
    ['TLP:AMBER-STRICT', 'amber+strict'],
    ['tlp:amber strict', 'amber+strict'],
    ['tlp:green', 'green'],
    ['tlp:white', 'clear'],
    ['tlp:clear', 'clear'],
    // What the protocol does not know may not be read as a permission.
    ['tlp:ex:chr', 'red'],
    ['tlp:unclear', 'red'],
    ['tlp:', 'red'],
    ['tlp', undefined],
    ['tlp-tool', undefined],
    ['tlpred', undefined],
    ['misp-galaxy:tlp="red"', undefined],
    ['red', undefined],
    ['', undefined],
  ]
  for (const [tag, want] of tags) test(`of the tag "${tag}" is ${want}`, () => expect(markingOfTag(tag)).toBe(want))

  test('is restricted above green', () =>
    expect([undefined, ...MARKINGS].filter(isRestricted)).toEqual(['amber', 'amber+strict', 'red']))

  test('is the strictest of several, whatever their order', () => {
    expect(strictest()).toBeUndefined()
    expect(strictest(undefined, 'clear')).toBe('clear')
    for (const one of MARKINGS)
      for (const other of MARKINGS) {
        const want = MARKINGS.indexOf(one) > MARKINGS.indexOf(other) ? one : other
        expect(strictest(one, undefined, other)).toBe(want)
        expect(isStricter(one, other)).toBe(MARKINGS.indexOf(one) > MARKINGS.indexOf(other))
      }
    expect(isStricter('clear', undefined)).toBe(false)
  })

  test('is one of five words', () =>
    expect(['RED', 'purple', ''].map(markingOfWord)).toEqual(['red', undefined, undefined]))
})
