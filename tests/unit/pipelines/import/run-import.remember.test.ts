import { expect, test } from 'vitest'
import type { FeedItem } from '../../../../connectors/feeds/parse/item.ts'
import { admission, readersOf } from '../../../../pipelines/import/admission.ts'
import { rememberObjects } from '../../../../pipelines/import/run-import.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { PUBLIC_AUDIENCE } from '../../../../schemas/intelligence/observations/audience.ts'
import { pairOf } from '../../../../schemas/intelligence/observations/stated-object.ts'
import { importPorts } from '../../../builders/feeds/import/ports.ts'

const [A, B] = ['198.51.100.1', '198.51.100.2'] as const
const T = Date.UTC(2026, 0, 1)
const pair = (value: string): string => pairOf({ entityId: entityId('ip', value), audience: PUBLIC_AUDIENCE })

const claim = (value: string, version: string, rest: object = {}): FeedItem => ({
  line: 1,
  entity: { type: 'ip', attributes: { ip: value }, reputation: -3 },
  object: { id: 'x', version },
  ...rest,
})

/** One import after another into the same memory; what was rejected, and what is claimed and gone then. */
function world() {
  const { objects } = importPorts()
  let now = T
  return async (...items: FeedItem[]) => {
    const feed = { name: 'f', trust: 1, groups: ['public'] }
    const admit = admission({ feed, readers: readersOf(feed.groups, new Map()), observedAt: now })
    const rejected: string[] = []
    const groups = (async function* () {
      yield items
    })()
    for await (const said of rememberObjects(groups, { objects, source: 'feed:f', admit, observedAt: now }))
      for (const item of said) {
        if ('rejected' in item) rejected.push(item.rejected)
        if (item.remembers !== undefined) await objects.put([item.remembers])
      }
    now += 1_000
    const known = (await objects.find('feed:f', new Set(['x']))).get('x')
    const windows = (of: 'claims' | 'gone') =>
      Object.fromEntries((known?.[of] ?? []).map((one) => [pairOf(one), [one.from - T, one.to - T, one.until]]))
    return { rejected, claims: windows('claims'), gone: windows('gone') }
  }
}

test('an object claims from when it was first stated until it was last stated', async () => {
  const state = world()
  expect(await state(claim(A, '1'))).toEqual({ rejected: [], claims: { [pair(A)]: [0, 0, 0] }, gone: {} })
  expect(await state(claim(A, '1'))).toMatchObject({ claims: { [pair(A)]: [0, 1_000, 0] } })
  const until = T + 90_000
  expect(await state(claim(A, '2', { validUntil: until }))).toMatchObject({ claims: { [pair(A)]: [0, 2_000, until] } })
})

test('a newer version takes back what only an older one claimed, and an older one is rejected', async () => {
  const state = world()
  await state(claim(A, '2'))
  expect(await state(claim(B, '3'))).toEqual({
    rejected: [],
    claims: { [pair(B)]: [1_000, 1_000, 0] },
    gone: { [pair(A)]: [0, 0, 0] },
  })
  const older = await state(claim(A, '2'))
  expect(older.rejected).toEqual([expect.stringContaining('older version')])
  expect(older.claims).toEqual({ [pair(B)]: [1_000, 1_000, 0] })
})

test('a revoked object claims nothing, and what it was before revives nothing', async () => {
  const state = world()
  await state(claim(A, '1'))
  const revoked: FeedItem = { line: 1, withdrawn: { id: 'x', version: '2' } }
  expect(await state(revoked)).toEqual({ rejected: [], claims: {}, gone: { [pair(A)]: [0, 0, 0] } })
  expect(await state(claim(A, '1'))).toMatchObject({ rejected: [expect.any(String)], claims: {} })
  expect(await state(claim(A, '3'))).toMatchObject({ claims: { [pair(A)]: [3_000, 3_000, 0] } })
})

test('it is remembered before anything was stated', async () => {
  const state = world()
  await state({ line: 1, withdrawn: { id: 'x', version: '2' } })
  expect(await state(claim(A, '1'))).toMatchObject({ rejected: [expect.any(String)], claims: {} })
})

test('a version that is over, or cannot be read, claims nothing', async () => {
  for (const second of [
    claim(A, '2', { validUntil: T }),
    { line: 1, rejected: 'a yara pattern', raw: '', object: { id: 'x', version: '2' } },
  ]) {
    const state = world()
    await state(claim(A, '1'))
    expect(await state(second)).toMatchObject({ claims: {}, gone: { [pair(A)]: [0, 0, 0] } })
  }
})

test('a version that is withheld from the readers of this import says nothing', async () => {
  const state = world()
  await state(claim(A, '1'))
  const withheld = await state(claim(B, '2', { marking: 'red' }))
  expect(withheld).toMatchObject({
    rejected: [expect.stringContaining('restricted')],
    claims: { [pair(A)]: [0, 0, 0] },
    gone: {},
  })
})

test('of an object with several entities all are remembered, sightings are not', async () => {
  const seen: FeedItem = {
    line: 2,
    entity: { type: 'ip', attributes: { ip: '198.51.100.9' }, reputation: null },
    object: { id: 'x', version: '1' },
  }
  const { claims } = await world()(claim(A, '1'), seen, claim(B, '1'))
  expect(Object.keys(claims)).toEqual([pair(A), pair(B)])
})
