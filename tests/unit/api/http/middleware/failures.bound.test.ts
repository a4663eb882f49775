import { expect, test } from 'vitest'
import { ApiError } from '../../../../../api/http/errors.ts'
import { failures } from '../../../../../api/http/middleware/failures.ts'

test('a name that guesses again is counted on, however many other names guess once', async () => {
  const { bounded } = failures({ max: 3, withinMs: 60_000, now: () => 1 })
  const guess = (name: string) => bounded(name, () => Promise.reject(new ApiError('unauthorized')))
  for (let round = 0; round < 3; round++) {
    await expect(guess('eve')).rejects.toMatchObject({ code: 'unauthorized' })
    for (let i = 0; i < 6_000; i++) await guess(`name-${round}-${i}`).catch(() => undefined)
  }
  await expect(guess('eve')).rejects.toMatchObject({ code: 'rate_limited' })
})
