import { expect, test } from 'vitest'
import { sharedAnalytics } from '../../../../../../api/intelligence/services/analytics/shared.ts'
import type { Reader } from '../../../../../../api/intelligence/services/readers.ts'

const DAY = Date.UTC(2026, 10, 23)
const readerOf = (...audiences: bigint[]): Reader => ({ groups: [], audiences, own: [], visibleBy: () => [] })

function counted(fails = false) {
  const asked: string[] = []
  const answer = async (what: string): Promise<never> => {
    asked.push(what)
    if (fails) throw new Error('the store is away')
    return { what } as never
  }
  let time = 0
  const shared = sharedAnalytics(
    { overview: (_, days) => answer(`overview ${days}`), attribution: (_, size) => answer(`attribution ${size}`) },
    (_, { hours }) => answer(`recent ${hours}`),
    () => time,
  )
  const pass = (ms: number): void => {
    time += ms
  }
  return { ...shared, asked, pass }
}

test('callers who read the same audiences share an answer for 100 ms', async () => {
  const { analytics, asked, pass } = counted()
  await Promise.all([analytics.overview(readerOf(1n, 2n), 30, DAY), analytics.overview(readerOf(1n, 2n), 30, DAY + 5)])
  pass(99)
  await analytics.overview(readerOf(1n, 2n), 30, DAY + 99)
  expect(asked).toHaveLength(1)
  pass(1)
  await analytics.overview(readerOf(1n, 2n), 30, DAY + 100)
  expect(asked).toHaveLength(2)
})

test('other audiences, another question and another day are answered for themselves', async () => {
  const { analytics, recent, asked } = counted()
  const question = { hours: 24, limit: 50, maliciousOnly: true }
  await analytics.overview(readerOf(1n, 2n), 30, DAY)
  await analytics.overview(readerOf(1n), 30, DAY)
  await analytics.overview(readerOf(1n, 2n), 7, DAY)
  await analytics.overview(readerOf(1n, 2n), 30, DAY - 1)
  await analytics.attribution(readerOf(1n), 20, true)
  await analytics.attribution(readerOf(1n), 20, false)
  await recent(readerOf(1n), question, DAY)
  await recent(readerOf(1n), { ...question, limit: 51 }, DAY)
  await recent(readerOf(12n), { ...question, limit: 51 }, DAY)
  expect(asked).toHaveLength(9)
})

test('a failure is not shared with later callers', async () => {
  const { analytics, asked } = counted(true)
  await expect(analytics.overview(readerOf(1n), 30, DAY)).rejects.toThrow('the store is away')
  await expect(analytics.overview(readerOf(1n), 30, DAY)).rejects.toThrow('the store is away')
  expect(asked).toHaveLength(2)
})
