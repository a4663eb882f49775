import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { measureAll, measureDisk, measureParts } from '../../../../../cli/wiring/process/measure-parts.ts'
import { prometheusMetrics } from '../../../../../connectors/metrics/prometheus.ts'

const logger = pino({ level: 'silent' })
const never = new Promise<never>(() => undefined)

test('a part that is away shows as 0, beside those that answer, and as 1 once it is back', async () => {
  const metrics = prometheusMetrics({ process: false })
  let away = true
  const checks = [
    { name: 'log', check: () => (away ? Promise.reject(new Error('away')) : Promise.resolve('ok')) },
    { name: 'registry', check: async () => 'ok' },
  ]
  await measureParts(checks, metrics)
  const before = await metrics.text()
  expect(before).toContain('harrier_component_ready{part="log"} 0\n')
  expect(before).toContain('harrier_component_ready{part="registry"} 1\n')
  away = false
  await measureParts(checks, metrics)
  expect(await metrics.text()).toContain('harrier_component_ready{part="log"} 1\n')
})

test('what fails or never answers keeps nothing from being shown', async () => {
  let measuredToo = false
  await measureAll(
    logger,
    [never, Promise.reject(new Error('away')), Promise.resolve().then(() => (measuredToo = true))],
    20,
  )
  expect(measuredToo).toBe(true)
})

test('the room of the volume is told in bytes', async () => {
  const metrics = prometheusMetrics({ process: false })
  await measureDisk(mkdtempSync(`${tmpdir()}/harrier-`), metrics)
  const text = await metrics.text()
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  expect(value('harrier_data_free_bytes')).toBeGreaterThan(0)
  expect(value('harrier_data_size_bytes')).toBeGreaterThanOrEqual(value('harrier_data_free_bytes'))
})
