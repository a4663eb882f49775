import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { groupCommit } from '../../../../connectors/log/group-commit.ts'

const BOUNDS = { maxCommit: 1_000, maxWaiting: 10_000, overlapFrom: Number.POSITIVE_INFINITY }

/** Group commit whose takes and ends are called by hand. */
function byHand() {
  const groups: number[][] = []
  const open: { take: () => void; end: (error?: Error) => void }[] = []
  const send = groupCommit<number>({
    ...BOUNDS,
    commit: (take) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error === undefined ? resolve() : reject(error))
        open.push({ take: () => void groups.push(take()), end })
      }),
  })
  return { send, groups, open }
}

test('what arrives until a commit takes its items goes along with it', async () => {
  const { send, groups, open } = byHand()
  const first = send(1, 10)
  await turn()
  const second = send(2, 10)
  await turn()
  open[0]!.take()
  const third = send(3, 10)
  open[0]!.end()
  await Promise.all([first, second])
  await turn()
  open[1]!.take()
  open[1]!.end()
  await third
  expect(groups).toEqual([[1, 2], [3]])
})

test('a commit that fails rejects the callers of its group alone', async () => {
  const { send, open } = byHand()
  const failing = send(1, 10)
  await turn()
  open[0]!.take()
  const next = send(2, 10)
  open[0]!.end(new Error('no room'))
  await expect(failing).rejects.toThrow('no room')
  await turn()
  open[1]!.take()
  open[1]!.end()
  await next
})

test('a commit that fails before it took anything rejects those that waited for it', async () => {
  const { send, open } = byHand()
  const waiting = send(1, 10)
  await turn()
  open[0]!.end(new Error('closed'))
  await expect(waiting).rejects.toThrow('closed')
})

test('a group is at most as large as one commit may be', async () => {
  const { send, groups, open } = byHand()
  const all = [send(1, 600), send(2, 600)]
  for (const n of [0, 1]) {
    await turn()
    open[n]!.take()
    open[n]!.end()
    await all[n]
  }
  expect(groups).toEqual([[1], [2]])
})
