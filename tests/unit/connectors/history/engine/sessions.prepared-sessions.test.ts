import type { Session } from 'chdb'
import { expect, test } from 'vitest'
import { preparedSessions } from '../../../../../connectors/history/engine/sessions.ts'

/** Sessions that note what happens to them, by number. */
function noted() {
  const events: string[] = []
  let opened = 0
  const open = (): Session => {
    const n = ++opened
    return {
      queryAsync: async (sql: string) => void events.push(`${n} prepares ${sql}`),
      close: () => void events.push(`${n} closes`),
    } as unknown as Session
  }
  const sessions = preparedSessions(open)
  const use = (key: string | null, then: 'works' | 'fails' = 'works') =>
    sessions.use(
      key,
      () => key ?? 'alone',
      async () => {
        events.push(then)
        if (then === 'fails') throw new Error('failed')
      },
    )
  return { events, use, close: sessions.close }
}

test('a session is prepared once for each key, and kept', async () => {
  const { events, use } = noted()
  for (const key of ['a', 'a', 'b', 'a']) await use(key)
  expect(events).toEqual(['1 prepares a', 'works', 'works', '2 prepares b', 'works', 'works'])
})

test('two at once have a session each', async () => {
  const { events, use } = noted()
  await Promise.all([use('a'), use('a')])
  expect(events.filter((event) => event.includes('prepares'))).toHaveLength(2)
})

test('a session is closed after an error, and one that is for a call alone after the call', async () => {
  const { events, use } = noted()
  await expect(use('a', 'fails')).rejects.toThrow('failed')
  await use('a')
  await use(null)
  expect(events).toEqual([
    '1 prepares a',
    'fails',
    '1 closes',
    '2 prepares a',
    'works',
    '3 prepares alone',
    'works',
    '3 closes',
  ])
})

test('the one that waited longest is closed when too many are kept, and all at the end', async () => {
  const { events, use, close } = noted()
  for (let i = 0; i < 33; i++) await use(`k${i}`)
  expect(events.filter((event) => event.includes('closes'))).toEqual(['1 closes'])
  close()
  expect(events.filter((event) => event.includes('closes'))).toHaveLength(33)
  await use('late')
  expect(events.at(-1)).toBe('34 closes')
})
