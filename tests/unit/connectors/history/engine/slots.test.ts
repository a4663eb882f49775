import { expect, test } from 'vitest'
import { slots } from '../../../../../connectors/history/engine/slots.ts'

const gate = () => {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

test('no more run at once than there are slots, and they start in the order of their asking', async () => {
  const two = slots(2, 10)
  const gates = [gate(), gate(), gate(), gate()]
  const started: number[] = []
  const runs = gates.map(({ passed }, i) =>
    two.use(() => {
      started.push(i)
      return passed
    }),
  )
  await Promise.resolve()
  expect(started).toEqual([0, 1])
  gates[1]!.open()
  await runs[1]
  expect([started, two.busy]).toEqual([[0, 1, 2], 2])
  for (const { open } of gates) open()
  await Promise.all(runs)
  expect([started, two.busy]).toEqual([[0, 1, 2, 3], 0])
})

test('work that fails gives its slot back', async () => {
  const one = slots(1, 1)
  await expect(one.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await one.use(() => Promise.resolve('yes'))).toBe('yes')
})

test('a full queue is an error that clients may retry', async () => {
  const one = slots(1, 1)
  const { passed, open } = gate()
  const running = one.use(() => passed)
  const waiting = one.use(() => Promise.resolve())
  await expect(one.use(() => Promise.resolve())).rejects.toMatchObject({ code: 202 })
  open()
  await Promise.all([running, waiting])
})
