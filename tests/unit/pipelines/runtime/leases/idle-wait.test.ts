import { expect, test } from 'vitest'
import type { WorkSignals } from '../../../../../connectors/postgres/core/port.ts'
import { idleWait } from '../../../../../pipelines/runtime/leases/idle-wait.ts'

const NOW = 1_800_000_000_000
const hearing: WorkSignals = { on: () => () => undefined, patienceMs: () => 10_000 }
const wait = (at: number | null, work?: WorkSignals) =>
  idleWait({ work, idleMs: 500, now: () => NOW, nextAt: async () => at })

const cases = [
  { name: 'nothing is due', at: null, waits: 10_000 },
  { name: 'something is due soon', at: NOW + 30, waits: 30 },
  { name: 'something is due much later', at: NOW + 3_600_000, waits: 10_000 },
  { name: 'something is due that could not be taken', at: NOW - 1, waits: 500 },
]
for (const { name, at, waits } of cases)
  test(`a worker that hears of commits waits ${waits} ms when ${name}`, async () => {
    expect(await wait(at, hearing)).toBe(waits)
  })

test('a worker that hears of none looks twice a second, and asks for no time', async () => {
  const nextAt = async (): Promise<number> => expect.unreachable('it looks soon anyway')
  expect(await idleWait({ idleMs: 500, now: () => NOW, nextAt })).toBe(500)
})
