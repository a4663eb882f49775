import { describe, expect, test } from 'vitest'
import { badgeText, waitsOf } from '../../../../../../../console/src/parts/page/waiting/waits.ts'

const NOTHING = { deadLetters: 0, breakers: 0, isolatedSources: 0 }

describe('badges of what waits', () => {
  test('there is none for zero, nor for who is not told', () => {
    expect(waitsOf(NOTHING, 0).size).toBe(0)
    expect(waitsOf(null, 0).size).toBe(0)
  })

  test('each stands at its section, and the page of operators has the sum', () => {
    expect(Object.fromEntries(waitsOf({ deadLetters: 3, breakers: 1, isolatedSources: 2 }, 1))).toEqual({
      '/operations': { count: 6, text: '1 breaker is open, 2 sources are isolated, 3 dead letters wait' },
      '/operations/breakers': { count: 3, text: '1 breaker is open, 2 sources are isolated' },
      '/operations/dead-letters': { count: 3, text: '3 dead letters wait' },
      '/feeds': { count: 1, text: '1 feed is held' },
    })
    expect([...waitsOf({ ...NOTHING, deadLetters: 1 }, 2)]).toEqual([
      ['/operations', { count: 1, text: '1 dead letter waits' }],
      ['/operations/dead-letters', { count: 1, text: '1 dead letter waits' }],
      ['/feeds', { count: 2, text: '2 feeds are held' }],
    ])
  })

  test('large numbers are cut on the badge alone', () => {
    expect([badgeText(7), badgeText(99), badgeText(100_000)]).toEqual(['7', '99', '99+'])
  })
})
