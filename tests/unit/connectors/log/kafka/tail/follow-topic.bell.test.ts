import { expect, test } from 'vitest'
import { bell } from '../../../../../../connectors/log/kafka/tail/follow-topic.ts'

test('a ring ends a wait; rings while nobody waits are one', async () => {
  const { ring, rung } = bell()
  let waits = 0
  const loop = (async () => {
    for (; waits < 3; waits++) await rung()
  })()
  const turns = async () => {
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
  await turns()
  expect(waits).toBe(0)
  ring()
  ring()
  await turns()
  expect(waits).toBe(1)
  ring()
  await turns()
  expect(waits).toBe(2)
  ring()
  await loop
})
