import pino from 'pino'
import { expect, test } from 'vitest'
import { startWorkers, type Worker } from '../../../../../cli/wiring/modules/module.ts'
import { closing } from '../../../../../cli/wiring/process/closing.ts'

function world() {
  const seen: string[] = []
  const worker = (name: string): Worker => ({
    name,
    withApi: true,
    start() {
      seen.push(`${name} runs`)
      return { stop: async () => void seen.push(`${name} stopped`) }
    },
  })
  return { seen, worker, open: closing(pino({ level: 'silent' })) }
}

test('workers start one after the other, and stop in the opposite order', async () => {
  const { seen, worker, open } = world()
  await startWorkers([worker('relay'), worker('scans')], open)
  expect(seen).toEqual(['relay runs', 'scans runs'])
  await open.closeAll()
  expect(seen.slice(2)).toEqual(['scans stopped', 'relay stopped'])
})

test('a worker that does not start fails the start, and those before it are stopped', async () => {
  const { seen, worker, open } = world()
  const broken: Worker = { name: 'scans', withApi: true, start: () => Promise.reject(new Error('no log')) }
  await expect(startWorkers([worker('relay'), broken, worker('instances')], open)).rejects.toThrow('no log')
  await open.closeAll()
  expect(seen).toEqual(['relay runs', 'relay stopped'])
})
