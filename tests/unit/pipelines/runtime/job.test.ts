import { expect, test } from 'vitest'
import { BreakerOpen } from '../../../../pipelines/runtime/breakers/group-breaker.ts'
import { persist } from '../../../../pipelines/runtime/job.ts'

/** Work that fails so many times; what was seen of it. */
function failing(times: number, error: () => unknown = () => new Error('the store is away')) {
  const seen = { again: [] as boolean[], failures: 0, pauses: 0 }
  const work = async (again: boolean): Promise<void> => {
    seen.again.push(again)
    if (seen.again.length <= times) throw error()
  }
  const options = { pause: async () => void seen.pauses++, onFailure: () => void seen.failures++ }
  return { seen, work, options }
}

test('work is tried until it is done, and hears that it was begun before', async () => {
  const { seen, work, options } = failing(2)
  await persist(new AbortController(), work, options)
  expect(seen).toEqual({ again: [false, true, true], failures: 2, pauses: 2 })
})

test('work of a batch that was taken away, and of a job whose term ended, is not tried again', async () => {
  for (const which of ['batch', 'term'] as const) {
    const stopped = { batch: new AbortController(), term: new AbortController() }
    const { seen, work, options } = failing(5, () => {
      stopped[which].abort()
      return new Error('the store is away')
    })
    const tried = persist(stopped.batch, work, { ...options, term: stopped.term.signal })
    await expect(tried).rejects.toThrow('the store is away')
    expect(seen).toEqual({ again: [false], failures: 0, pauses: 0 })
  }
})

test('an open breaker is no failure that passes', async () => {
  const { seen, work, options } = failing(5, () => new BreakerOpen('feeds', { ratio: 1, run: 9, culprits: [] }, []))
  await expect(persist(new AbortController(), work, options)).rejects.toBeInstanceOf(BreakerOpen)
  expect(seen.failures).toBe(0)
})
