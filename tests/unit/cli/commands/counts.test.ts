import { Command } from 'commander'
import { expect, test } from 'vitest'
import { registerCounts } from '../../../../cli/commands/counts.ts'
import type { CountDrift } from '../../../../connectors/history/port.ts'
import { fakeRecount, positions } from '../../../builders/log/recount.ts'

async function run(word: string, drift: CountDrift) {
  const { log } = positions([3], [3])
  const { recount, asked } = fakeRecount(drift)
  let told = ''
  let closed = 0
  const write = (text: string) => {
    told += text
  }
  const program = new Command().exitOverride().configureOutput({ writeErr: write })
  const context = { log, recount, close: async () => void closed++ }
  registerCounts(program, async () => context, { write })
  for (const counts of program.commands) counts.exitOverride().configureOutput({ writeErr: write })
  const ended = await program.parseAsync(['counts', word], { from: 'user' }).then(
    () => 0,
    (error: { exitCode: number }) => error.exitCode,
  )
  return { told, ended, asked, closed }
}

test('a check that finds nothing wrong says so', async () => {
  const { told, ended, closed } = await run('check', { counters: 0, difference: 0 })
  expect([told, ended, closed]).toEqual(['all counters match a recount of the entities\n', 0, 1])
})

test('a check that finds drift names it, leaves it and fails', async () => {
  const { told, ended, asked } = await run('check', { counters: 2, difference: 9 })
  expect(told).toContain('2 counters differ from a recount of the entities; total difference: 9')
  expect(ended).toBe(1)
  expect(asked).not.toContain('correct')
})

test('a repair corrects the drift it found', async () => {
  const { told, ended, asked } = await run('repair', { counters: 2, difference: 9 })
  expect(told).toContain('total difference: 9; corrected')
  expect(ended).toBe(0)
  expect(asked).toContain('correct')
})
