import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { environmentOf, STAGES } from '../../../runner/stages.ts'

const TESTS = fileURLToPath(new URL('../../../', import.meta.url))
const folders = (command: readonly string[]): string[] => command.filter((word) => /^tests\/\w+$/.test(word))

test('platforms on embedded defaults are given no servers: on one broker they would take the records of each other', () => {
  for (const stage of STAGES)
    if (folders(stage.command).some((folder) => folder === 'tests/e2e' || folder === 'tests/chaos'))
      expect([stage.name, environmentOf(stage, { KAFKA_BROKERS: 'x', PATH: 'y' })]).toEqual([stage.name, { PATH: 'y' }])
})

test('every long test is in one stage', () => {
  const long = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.long.test.ts'),
  )
  expect(long.length).toBeGreaterThan(10)
  const stages = STAGES.filter(({ isLong }) => isLong).flatMap(({ command }) => folders(command))
  for (const path of long)
    expect([path, stages.filter((folder) => `tests/${path}`.startsWith(`${folder}/`)).length]).toEqual([path, 1])
})
