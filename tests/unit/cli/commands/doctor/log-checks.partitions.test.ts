import { expect, test } from 'vitest'
import { partitionsCheck } from '../../../../../cli/commands/doctor/log-checks.ts'
import { OBSERVATIONS, topics } from '../../../../../schemas/log/topics.ts'

const logWith = (counts: Record<string, number>) => ({
  offsets: async (topic: string) =>
    Array.from(
      { length: counts[topic] ?? topics.find(({ name }) => name === topic)!.partitions.kafka },
      (_, partition) => ({
        partition,
        low: 0,
        high: 0,
      }),
    ),
})

test('partitions that were added are told of, with where keys stay', async () => {
  const found = await partitionsCheck(logWith({ [OBSERVATIONS]: 24 }), 'kafka', 12).run()
  expect(found).toMatchObject([
    { state: 'warn', what: `${OBSERVATIONS} has 24 partitions; keyed records use only the first 12` },
  ])
  expect(await partitionsCheck(logWith({}), 'kafka', 12).run()).toMatchObject([{ state: 'ok' }])
  const chosen = logWith({ [OBSERVATIONS]: 24 })
  expect(await partitionsCheck(chosen, 'kafka', 24).run()).toMatchObject([{ state: 'ok' }])
})
