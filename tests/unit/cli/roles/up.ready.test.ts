import { expect, test } from 'vitest'
import { banner, untilReady } from '../../../../cli/roles/up.ts'

const never = new Promise<void>(() => undefined)

test('a start waits until no part is missing', async () => {
  const answers = [['jobs', 'history'], ['jobs'], []]
  expect(await untilReady({ missing: async () => answers.shift()! }, never)).toEqual([])
  expect(answers).toEqual([])
})

test('a start that does not become ready, or is stopped, ends the wait with the parts that are missing', async () => {
  const missing = async (): Promise<string[]> => ['jobs']
  expect(await untilReady({ missing }, never, 250)).toEqual(['jobs'])
  expect(await untilReady({ missing }, Promise.resolve('SIGTERM'), 60_000)).toEqual(['jobs'])
})

test('the banner says "up" for a platform that is ready, and names what is missing otherwise', () => {
  const start = { url: 'http://a', sqlUrl: null, metricsUrl: null, dataDir: '/d', administrator: null }
  expect(banner({ ...start, missing: [] })).toContain('  Harrier is up\n')
  const late = banner({ ...start, missing: ['jobs', 'log'] })
  expect(late).toContain('  Harrier runs but is NOT ready: jobs, log')
  expect(late).not.toContain('is up')
})
