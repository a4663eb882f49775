import { expect, test } from 'vitest'
import { chosenPartitions, homeOf } from '../../../../../cli/wiring/open/open-log.ts'
import { OBSERVATIONS, topics, topicsOn } from '../../../../../schemas/log/topics.ts'
import { memoryLog } from '../../../../builders/log/memory-log.ts'

/** A start of a process: all topics of the log are there afterwards. */
async function start(log: ReturnType<typeof memoryLog>, asked: number | null): Promise<number> {
  const chosen = await chosenPartitions(log, asked)
  await log.createTopics(topicsOn('kafka', chosen))
  return chosen
}
const report = (log: ReturnType<typeof memoryLog>) =>
  log.send([{ topic: OBSERVATIONS, messages: [{ key: 'a', value: Buffer.from('a') }] }])

test('without a choice a log is made with 12 partitions, and nothing is recorded', async () => {
  const log = memoryLog()
  expect(await start(log, null)).toBe(12)
  expect(await start(log, 12)).toBe(12)
  expect((await log.topicNames()).sort()).toEqual(topics.map(({ name }) => name).sort())
})

test('a chosen number is that of every topic with keys, and holds for later starts that do not name it', async () => {
  const log = memoryLog()
  expect(await start(log, 48)).toBe(48)
  expect(await start(log, null)).toBe(48)
  expect(await start(log, 48)).toBe(48)
  expect(await log.offsets(OBSERVATIONS)).toHaveLength(48)
  for (const { name, partitions } of topics)
    expect(await log.offsets(name)).toHaveLength(partitions.kafka === 1 ? 1 : 48)
})

test('another number than that of the log is refused, whether it was chosen or is the usual one', async () => {
  const chosen = memoryLog()
  await start(chosen, 48)
  await expect(start(chosen, 24)).rejects.toThrow(
    'KAFKA_PARTITIONS is 24, but keys of this log are distributed over 48',
  )
  await expect(start(chosen, 12)).rejects.toThrow('set 48')
  const usual = memoryLog()
  await start(usual, null)
  await report(usual)
  await expect(start(usual, 24)).rejects.toThrow('KAFKA_PARTITIONS is 24, but keys of this log are distributed over 12')
  expect(await start(usual, null)).toBe(12)
})

test('topics that an operator has made are used while they are empty', async () => {
  const log = memoryLog()
  await log.createTopics(topicsOn('kafka', 24))
  expect(await start(log, 24)).toBe(24)
  await report(log)
  expect(await start(log, null)).toBe(24)
})

test('two numbers that were chosen at the same moment stop every process', async () => {
  const log = memoryLog()
  await log.createTopics(
    [24, 48].map(
      (n) => ({ name: `log.partitions.${n}`, partitions: 1, cleanup: 'delete', retentionMs: null }) as const,
    ),
  )
  await expect(start(log, 24)).rejects.toThrow('several numbers of partitions: log.partitions.24, log.partitions.48')
})

test('a key has its home among the chosen partitions', () => {
  const homes = new Set(Array.from({ length: 500 }, (_, i) => homeOf({ keyPartitions: 48 })(Buffer.from(`ip-${i}`))))
  expect(Math.max(...homes)).toBe(47)
  expect(homes.size).toBe(48)
})
