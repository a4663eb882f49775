import { describe, expect, test } from 'vitest'
import { CONSOLE_PAGES } from '../../../../schemas/console-pages.ts'
import { addressesOf, mostTelling } from '../../../pictures/addresses.ts'

describe('the addresses that are photographed', () => {
  test('are all of the console, each with a name of its own', () => {
    const all = addressesOf('ip-1', null)
    expect(all).toHaveLength(Object.values(CONSOLE_PAGES).flat().length)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    expect(all).toContainEqual({ name: 'account-team', path: '/account/team' })
    expect(all).toContainEqual({ name: 'entity', path: '/entity/ip-1' })
  })

  test('are without an entity where none is known', () => {
    expect(addressesOf(null, null).map(({ name }) => name)).not.toContain('entity')
  })

  test('are those that are asked for, in the order of the console; an unknown one is refused', () => {
    expect(addressesOf('ip-1', ['entity', 'triage']).map(({ name }) => name)).toEqual(['triage', 'entity'])
    expect(() => addressesOf('ip-1', ['entity', 'nowhere'])).toThrow(/nowhere is none of overview, triage, /)
  })

  test('the most telling entity is the most accurate of the worst', () => {
    const seen = [
      { id: 'a', reputation: -2, accuracy: 3 },
      { id: 'b', reputation: -3, accuracy: 1 },
      { id: 'c', reputation: -3, accuracy: 2 },
    ]
    expect(mostTelling(seen)).toBe('c')
    expect(mostTelling([])).toBeNull()
  })
})
