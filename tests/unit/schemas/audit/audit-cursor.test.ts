import { expect, test } from 'vitest'
import { auditCursor, auditPlaceIn } from '../../../../schemas/audit/audit-cursor.ts'
import { seals } from '../../../../schemas/cursors/seal.ts'

const sealed = seals(Buffer.alloc(32, 9))
const all = { actor: null, action: null, subject: null, since: null, until: null }
const place = { at: 1_800_000_000_000, id: '0190f0a0-0000-7000-8000-000000000001' }

test('a cursor is its place, in its own list alone', () => {
  const cursor = auditCursor(sealed, all, place)
  expect(auditPlaceIn(sealed, all, cursor)).toEqual(place)
  expect(auditPlaceIn(sealed, { ...all, action: 'key.make' }, cursor)).toBe(null)
  expect(auditPlaceIn(sealed, all, `${cursor.slice(0, -1)}A`)).toBe(null)
  expect(auditPlaceIn(seals(Buffer.alloc(32, 8)), all, cursor)).toBe(null)
})
