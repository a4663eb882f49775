import { expect, test } from 'vitest'
import { startSealer } from '../../../../../pipelines/jobs/accounts/audit-sealer.ts'

test('what waits is sealed, in as many rounds as it takes, and a commit wakes the next one', async () => {
  let waiting = 1_200
  let ring = (): void => undefined
  const sealer = startSealer({
    sealing: {
      async seal(limit) {
        const sealed = Math.min(limit, waiting)
        waiting -= sealed
        return sealed
      },
      waiting: async () => waiting > 0,
    },
    work: {
      on: (_kind, woken) => {
        ring = woken
        return () => undefined
      },
      patienceMs: () => 3_600_000,
    },
    now: Date.now,
    onFailure: () => undefined,
  })
  await expect.poll(() => waiting, { timeout: 5_000 }).toBe(0)
  waiting = 1
  ring()
  await expect.poll(() => waiting, { timeout: 5_000 }).toBe(0)
  await sealer.stop()
})

test('a database that is away is asked again', async () => {
  let fails = 1
  let sealed = 0
  const failures: string[] = []
  const sealer = startSealer({
    sealing: {
      async seal() {
        if (fails-- > 0) throw new Error('away')
        sealed++
        return 0
      },
      waiting: async () => false,
    },
    now: Date.now,
    onFailure: ({ message }) => void failures.push(message),
  })
  await expect.poll(() => sealed, { timeout: 10_000 }).toBeGreaterThan(0)
  await sealer.stop()
  expect(failures).toEqual(['away'])
})
