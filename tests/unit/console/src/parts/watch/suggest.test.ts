import { expect, test } from 'vitest'
import { REPUTATIONS } from '../../../../../../console/src/parts/watch/reputations.ts'
import { ofEntity, ofSearch } from '../../../../../../console/src/parts/watch/suggest.ts'
import { readWatchItem } from '../../../../../../schemas/casework/watch.ts'
import { entityId } from '../../../../../../schemas/intelligence/entities/id.ts'

const entity = (type: string, value: string, tags: string[] = []) => ({ id: entityId(type, value), type, value, tags })
const kinds = (suggested: { kind: string }[]) => suggested.map(({ kind }) => kind)

test('a network is watched for what is inside of it first, a name with what is below it', () => {
  expect(kinds(ofEntity(entity('cidr', '203.0.113.0/24')))).toEqual(['cidr', 'entity'])
  expect(kinds(ofEntity(entity('domain', 'example.com', ['c2', 'kit'])))).toEqual(['entity', 'suffix', 'tag', 'tag'])
  expect(kinds(ofEntity(entity('ip', '203.0.113.7')))).toEqual(['entity'])
})

test.each([
  ['ip', '203.0.113.7', ['value']],
  ['cidr', '203.0.113.0/24', ['cidr', 'value']],
  ['domain', 'example.com', ['suffix', 'value']],
  ['text', 'botnet', ['tag', 'value']],
  ['id', entityId('ip', '203.0.113.7'), ['entity']],
] as const)('a searched %s is watched as %o', (kind, value, want) => {
  expect(kinds(ofSearch(kind, value))).toEqual(want)
})

test('the platform takes what is suggested', () => {
  const suggested = [
    ...ofEntity(entity('cidr', '203.0.113.0/24', ['c2'])),
    ...ofEntity(entity('domain', 'example.com')),
    ...ofSearch('text', 'botnet'),
  ]
  for (const { kind, value } of suggested) expect(readWatchItem({ kind, value }).ok).toBe(true)
  for (const { value } of REPUTATIONS.slice(1))
    expect(readWatchItem({ kind: 'tag', value: 'c2', max_reputation: Number(value) }).ok).toBe(true)
})
