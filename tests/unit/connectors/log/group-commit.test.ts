import { expect, test } from 'vitest'
import { groupCommit } from '../../../../connectors/log/group-commit.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A store whose commits end when the test says so. */
function manual(bounds: { maxCommit: number; maxWaiting: number; overlapFrom: number }) {
  const commits: { items: number[]; resolve: () => void; reject: (error: Error) => void }[] = []
  const add = groupCommit<number>({
    ...bounds,
    commit: (take) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      commits.push({ items: take(), resolve, reject })
      return promise
    },
  })
  return { commits, add }
}

test('what arrives while a commit runs goes out together with the next one, in order', async () => {
  const { commits, add } = manual({ maxCommit: 100, maxWaiting: 1000, overlapFrom: 1000 })
  const first = add(1, 10)
  await settle()
  const rest = [add(2, 10), add(3, 10), add(4, 10)]
  await settle()
  expect(commits.map(({ items }) => items)).toEqual([[1]])
  commits[0]!.resolve()
  await first
  await settle()
  expect(commits.map(({ items }) => items)).toEqual([[1], [2, 3, 4]])
  commits[1]!.resolve()
  await Promise.all(rest)
})

test('a commit takes no more bytes than it may, but always one item', async () => {
  const { commits, add } = manual({ maxCommit: 100, maxWaiting: 10_000, overlapFrom: 10_000 })
  for (const [item, bytes] of [
    [1, 500],
    [2, 60],
    [3, 60],
  ] as const)
    void add(item, bytes)
  for (let i = 0; i < 3; i++) {
    await settle()
    commits[i]!.resolve()
  }
  await settle()
  expect(commits.map(({ items }) => items)).toEqual([[1], [2], [3]])
})

test('a second commit overlaps only when enough waits, and never a third', async () => {
  const { commits, add } = manual({ maxCommit: 50, maxWaiting: 1000, overlapFrom: 50 })
  void add(1, 10)
  await settle()
  void add(2, 40)
  await settle()
  expect(commits.length).toBe(1)
  void add(3, 40)
  await settle()
  expect(commits.length).toBe(2)
  void add(4, 60)
  await settle()
  expect(commits.length).toBe(2)
})

test('a commit that fails is told to its callers alone', async () => {
  const { commits, add } = manual({ maxCommit: 10, maxWaiting: 1000, overlapFrom: 1000 })
  const [bad, good] = [add(1, 10), add(2, 10)]
  await settle()
  commits[0]!.reject(new Error('full'))
  await expect(bad).rejects.toThrow('full')
  await settle()
  commits[1]!.resolve()
  await good
})

test('a caller waits while too many bytes wait', async () => {
  const { commits, add } = manual({ maxCommit: 10, maxWaiting: 20, overlapFrom: 1000 })
  void add(1, 10)
  void add(2, 10)
  const third = add(3, 10)
  await settle()
  commits[0]!.resolve()
  await settle()
  commits[1]!.resolve()
  await settle()
  expect(commits.map(({ items }) => items)).toEqual([[1], [2], [3]])
  commits[2]!.resolve()
  await third
})
