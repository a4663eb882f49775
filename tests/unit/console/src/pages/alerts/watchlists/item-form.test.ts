import { expect, test } from 'vitest'
import { itemOf, NO_ITEM, takesType } from '../../../../../../../console/src/pages/alerts/watchlists/item-form.ts'
import { ITEM_KINDS as CONSOLE_KINDS } from '../../../../../../../console/src/parts/watch/watchlists.ts'
import { ITEM_KINDS } from '../../../../../../../schemas/casework/casework.ts'
import { readWatchItem } from '../../../../../../../schemas/casework/watch.ts'

test('the form has every kind that the platform has', () => {
  expect(Object.keys(CONSOLE_KINDS).sort()).toEqual([...ITEM_KINDS].sort())
})

test.each([
  [{ kind: 'value', value: ' 203[.]0[.]113[.]7 ', type: ' ip ', reputation: '-1' }, '203.0.113.7'],
  [{ kind: 'tag', value: 'c2' }, 'c2'],
  [{ kind: 'type', value: 'ip', type: 'domain' }, 'ip'],
  [{ kind: 'cidr', value: '203.0.113[.]0/24' }, '203.0.113.0/24'],
  [{ kind: 'suffix', value: 'evil[.]example' }, 'evil.example'],
  [{ kind: 'entity', value: `ip-${'0'.repeat(64)}` }, `ip-${'0'.repeat(64)}`],
  [{ kind: 'selector', value: '{"tags": {"any": ["c2"]}}' }, { tags: { any: ['c2'] } }],
] as const)('%o is an item that the platform takes', (given, value) => {
  const read = itemOf({ ...NO_ITEM, ...given })
  if (!('item' in read)) throw new Error(read.fault)
  expect(read.item).toMatchObject({ kind: given.kind, value })
  expect(readWatchItem(read.item).ok).toBe(true)
  expect('type' in read.item).toBe('type' in given && takesType(given.kind))
  expect(read.item.max_reputation).toBe('reputation' in given ? Number(given.reputation) : undefined)
})

test.each([
  ['nothing', { value: '  ' }, /Enter what/],
  ['no JSON', { kind: 'selector', value: '{' }, /not a JSON object/],
  ['a list', { kind: 'selector', value: '[]' }, /not a JSON object/],
] as const)('%s is refused with what to do', (_, given, fault) => {
  expect(itemOf({ ...NO_ITEM, ...given })).toEqual({ fault: expect.stringMatching(fault) })
})
