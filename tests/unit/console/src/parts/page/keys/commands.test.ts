import { describe, expect, test } from 'vitest'
import { commandOf, helpOf } from '../../../../../../../console/src/parts/page/keys/commands.ts'

const pressed = (key: string, held: object = {}) => ({ key, ctrlKey: false, altKey: false, metaKey: false, ...held })
const place = { inField: false, inList: false, letters: true, pageKeys: ['x', 'X', 'j'] }

describe('a key', () => {
  test.each([
    ['/', {}, {}, { general: 'search' }],
    ['?', {}, {}, { general: 'help' }],
    ['k', {}, {}, { general: 'previous' }],
    ['ArrowDown', {}, { inList: true, letters: false }, { general: 'next' }],
    ['ArrowUp', {}, { inList: true }, { general: 'previous' }],
    ['x', {}, {}, { page: 'x' }],
    ['X', {}, { inList: true }, { page: 'X' }],
  ])('%s with %o at %o does %o', (key, held, where, want) =>
    expect(commandOf(pressed(key, held), { ...place, ...where })).toEqual(want),
  )

  test.each([
    ['/', {}, { inField: true }],
    ['/', { ctrlKey: true }, {}],
    ['?', { altKey: true }, {}],
    ['j', { metaKey: true }, { inList: true }],
    ['j', {}, { inField: true, inList: true }],
    ['ArrowDown', {}, {}],
    ['ArrowDown', {}, { inField: true, inList: true }],
    ['e', {}, {}],
    ['Tab', {}, { inList: true }],
    ['Enter', {}, { inList: true }],
    ['Escape', {}, {}],
  ])('%s with %o at %o is left to the browser', (key, held, where) =>
    expect(commandOf(pressed(key, held), { ...place, ...where })).toBeNull(),
  )

  test.each(['/', '?', 'j', 'k', 'x'])('%s does nothing once single characters are switched off', (key) =>
    expect(commandOf(pressed(key), { ...place, inList: true, letters: false })).toBeNull(),
  )

  test('of every page keeps its meaning where a page asks for the same', () =>
    expect(commandOf(pressed('j'), place)).toEqual({ general: 'next' }))
})

test('the help lists what works on the page: rows only where there are some, then the keys of the page', () => {
  expect(helpOf(false, []).map(([keys]) => keys)).toEqual(['/', '?'])
  expect(helpOf(true, [['e', 'mark']]).map(([keys]) => keys)).toEqual(['/', '?', 'j or ↓', 'k or ↑', 'Enter', 'e'])
})
