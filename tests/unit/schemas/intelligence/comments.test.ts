import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commentText, MAX_COMMENT } from '../../../../schemas/intelligence/comment-text.ts'
import { commentAudience } from '../../../../schemas/intelligence/comments.ts'

test.each([
  ['  ends are cut \n', 'ends are cut'],
  ['two\r\nlines\tand a tab', 'two\nlines\tand a tab'],
  ['bell\u0007, NUL\u0000, escape\u001b[31m, C1\u0085', 'bell, NUL, escape[31m, C1'],
  [' \u0000\n\t ', null],
  ['', null],
  ['x'.repeat(MAX_COMMENT), 'x'.repeat(MAX_COMMENT)],
  ['😀'.repeat(MAX_COMMENT), '😀'.repeat(MAX_COMMENT)],
  ['x'.repeat(MAX_COMMENT + 1), null],
  ['😀'.repeat(MAX_COMMENT + 1), null],
])('%j is kept as it should be', (raw, want) => {
  expect(commentText(raw)).toBe(want)
})

const GROUPS = ['public', 'a', 'b', 'c', 'd']
const groups = fc.subarray(GROUPS, { minLength: 1 })
const canonical = (of: string[]) => (of.includes('public') ? ['public'] : of)

test('nobody reads an answer who may not read what it answers', () => {
  fc.assert(
    fc.property(groups, fc.option(groups), fc.option(groups), (own, requested, given) => {
      const parent = given && canonical(given)
      // Whoever answers reads the parent.
      fc.pre(parent === null || parent.includes('public') || parent.some((group) => own.includes(group)))
      const told = commentAudience(requested, own, parent)
      const reads = (audience: string[], reader: string) => audience.includes('public') || audience.includes(reader)
      if (told.ok && parent !== null)
        for (const reader of [...GROUPS, 'nobody'])
          if (reads(told.audience, reader)) expect(reads(parent, reader)).toBe(true)
      if (told.ok) for (const group of told.audience) expect([...own, 'public']).toContain(group)
      // Without groups of its own, a comment always has somebody to go to.
      if (requested === null) expect(told.ok).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

test.each([
  { requested: ['public'], parent: ['a'], want: { ok: false, kind: 'invalid', param: 'visibleBy' } },
  { requested: ['a', 'b'], parent: ['a'], want: { ok: false, kind: 'invalid', param: 'visibleBy' } },
  { requested: ['x'], parent: ['a'], want: { ok: false, kind: 'foreign', param: 'visibleBy[0]' } },
  { requested: [], parent: ['a'], want: { ok: false, kind: 'invalid', param: 'visibleBy' } },
  { requested: undefined, parent: ['a', 'z'], want: { ok: true, audience: ['a'] } },
  { requested: ['b'], parent: ['public'], want: { ok: true, audience: ['b'] } },
  { requested: undefined, parent: null, want: { ok: true, audience: ['a', 'b'] } },
])('groups $requested in answer to $parent: $want', ({ requested, parent, want }) => {
  expect(commentAudience(requested, ['a', 'b'], parent)).toMatchObject(want)
})
