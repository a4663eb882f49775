import { expect, test } from 'vitest'
import { knownGroups } from '../../../../../pipelines/jobs/intelligence/observation-memory.ts'

function stored(count: number) {
  const asked: bigint[][] = []
  const groupsOf = knownGroups({
    groupsOf: async (ids) => {
      asked.push([...ids])
      return new Map(ids.filter((id) => id < count).map((id) => [id, [`g${id}`]]))
    },
  })
  return { asked, groupsOf }
}

test('groups are asked for once, and not when they came with the records', async () => {
  const { asked, groupsOf } = stored(10)
  const given = new Map([[1n, ['given']]])
  expect(await groupsOf(new Set([1n, 2n]), given)).toEqual(
    new Map([
      [1n, ['given']],
      [2n, ['g2']],
    ]),
  )
  expect(await groupsOf(new Set([2n, 3n]), new Map())).toEqual(
    new Map([
      [2n, ['g2']],
      [3n, ['g3']],
    ]),
  )
  expect(asked).toEqual([[2n], [3n]])
})

test('what is not stored is left out, and asked for again', async () => {
  const { asked, groupsOf } = stored(5)
  for (let i = 0; i < 2; i++) expect(await groupsOf(new Set([7n]), new Map())).toEqual(new Map())
  expect(asked).toEqual([[7n], [7n]])
})

test('more audiences than are remembered are answered whole', async () => {
  const { asked, groupsOf } = stored(30_000)
  const all = new Set(Array.from({ length: 12_000 }, (_, i) => BigInt(i)))
  expect((await groupsOf(all, new Map())).size).toBe(12_000)
  expect((await groupsOf(all, new Map())).size).toBe(12_000)
  expect(asked.map((ids) => ids.length)).toEqual([12_000, 2_000])
})
