import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MISP_TYPES, misp } from '../../../../../../schemas/feeds-out/formats/exchange/misp.ts'
import { FACTS, listItem, writtenOf } from '../../../../../builders/feeds/list-items.ts'
import { expectBack } from '../../../../../builders/feeds/misp/back.ts'
import { mispItems, mispTypes } from '../../../../../builders/feeds/misp/items.ts'
import { longer } from '../../../../../builders/platform/longer.ts'

describe('a MISP event of a list', () => {
  test('has every item of the types of the table, and they come back equal', async () => {
    expect(mispTypes).toEqual(Object.keys(MISP_TYPES))
    await fc.assert(
      fc.asyncProperty(mispItems, async (items) => {
        const { bytes, skipped } = writtenOf(misp, items)
        expect(skipped).toBe(0)
        await expectBack(bytes.toString(), items)
      }),
      { numRuns: longer(100) },
    )
  })

  test('is the same event, to the byte, for the same list, with attributes that keep their UUID', () => {
    const items = [listItem('domain', 'a.example'), listItem('domain', 'b.example')]
    const event = (list: typeof items, facts = FACTS) => JSON.parse(writtenOf(misp, list, facts).bytes.toString()).Event
    expect(writtenOf(misp, items).bytes).toEqual(writtenOf(misp, items).bytes)
    const [both, second, other] = [event(items), event(items.slice(1)), event(items, { ...FACTS, id: 'another' })]
    expect(second.uuid).toBe(both.uuid)
    expect(second.Attribute[0].uuid).toBe(both.Attribute[1].uuid)
    expect([other.uuid === both.uuid, other.Attribute[0].uuid === both.Attribute[0].uuid]).toEqual([false, false])
  })
})
