import { expect, test } from 'vitest'
import type { DemoLoader } from '../../../../../connectors/operations/demo-loads/port.ts'
import { asAdmin, startApi } from '../../../../builders/api/api.ts'

const PATH = '/api/admin/v1/demo'
const half = { state: 'loading', entities: 300, loaded: 40, total: 660 } as const

async function requestDemo(demo: DemoLoader, method: 'GET' | 'POST'): Promise<Response> {
  const api = await startApi({ demo })
  try {
    return await fetch(api.url + PATH, { method, headers: asAdmin })
  } finally {
    await api.close()
  }
}

test('an administrator is told how far the corpus is', async () => {
  const response = await requestDemo({ state: async () => half, start: async () => half }, 'GET')
  expect([response.status, await response.json()]).toEqual([200, half])
})

test('a load is accepted with its state', async () => {
  const response = await requestDemo({ state: async () => half, start: async () => half }, 'POST')
  expect([response.status, await response.json()]).toEqual([202, half])
})
