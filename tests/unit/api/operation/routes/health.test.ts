import { expect, test } from 'vitest'
import { START_MS, Starting } from '../../../../../api/http/parts-health.ts'
import { healthRoutes } from '../../../../../api/operation/routes/health.ts'
import { prometheusMetrics } from '../../../../../connectors/metrics/prometheus.ts'
import { asAdmin, errorOf, startApi } from '../../../../builders/api/api.ts'

test('the process is ready when every part is, and shows their versions', async () => {
  const api = await startApi({ checks: [{ name: 'accounts', check: async () => '0001-accounts' }] })
  const response = await fetch(`${api.url}/readyz`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ ready: true, parts: { accounts: '0001-accounts' } })
  await api.close()
})

test('a part that fails or does not answer makes a 503 that names it and not its cause', async () => {
  const api = await startApi({
    checks: [
      { name: 'log', check: async () => 'ok' },
      { name: 'accounts', check: async () => Promise.reject(new Error('password refused for harrier@db')) },
      { name: 'history', check: () => new Promise(() => undefined) },
    ],
  })
  const response = await fetch(`${api.url}/readyz`)
  expect(response.status).toBe(503)
  expect(await errorOf(response)).toMatchObject({
    code: 'unavailable',
    message: 'not ready',
    param: 'accounts, history',
  })
  expect((await fetch(`${api.url}/livez`)).status).toBe(200)
  await api.close()
})

test('readiness tells strangers less of a detail that names somebody, and administrators all of it', async () => {
  const check = async () => 'closed; isolated: feed:clock in expand'
  const api = await startApi({ checks: [{ name: 'breakers', check, forAnybody: () => 'closed' }] })
  const ready = await (await fetch(`${api.url}/readyz`)).json()
  expect(ready).toEqual({ ready: true, parts: { breakers: 'closed' } })
  const known = await (await fetch(`${api.url}/api/admin/v1/health`, { headers: asAdmin })).json()
  expect(known).toMatchObject({ parts: [{ name: 'breakers', detail: await check() }] })
  await api.close()
})

test('a probe of a process that has only begun is no error; one after that is', async () => {
  let clock = 0
  let works = false
  const check = async (): Promise<string> => {
    if (works) return 'ok'
    throw new Error('still starting')
  }
  const ask = healthRoutes(
    [{ name: 'jobs', check }],
    prometheusMetrics({ process: false }),
    'auth_admin',
    () => clock,
  ).find(({ path }) => path === '/readyz')!.handler as () => Promise<{ status: number }>
  const refused = async () => ((await ask().catch((error) => error)) as Error).cause instanceof Starting

  expect(await refused()).toBe(true)
  clock = START_MS
  expect(await refused()).toBe(false)
  clock = 1
  works = true
  expect((await ask()).status).toBe(200)
  works = false
  expect(await refused()).toBe(false)
})

test('health asks for no credentials and looks at none', async () => {
  const api = await startApi()
  for (const path of ['/livez', '/readyz', '/']) {
    expect((await fetch(api.url + path, { headers: { 'api-key': 'half a pair' } })).status, path).toBe(200)
    expect((await fetch(api.url + path, { method: 'HEAD' })).status, path).toBe(200)
  }
  await api.close()
})

test('metrics count requests by declared route and status', async () => {
  const api = await startApi()
  await fetch(`${api.url}/auth/v2/admin/user/1`, { headers: asAdmin })
  await fetch(`${api.url}/no/such/${'x'.repeat(50)}`)
  expect((await fetch(`${api.url}/metrics`)).status).toBe(401)
  const response = await fetch(`${api.url}/metrics`, { headers: asAdmin })
  expect(response.headers.get('content-type')).toContain('text/plain')
  const text = await response.text()
  const count = 'harrier_http_request_duration_seconds_count'
  expect(text).toContain(`${count}{method="GET",route="/auth/v2/admin/user/{id}",status="400"} 1`)
  expect(text).toContain(`${count}{method="GET",route="none",status="404"} 1`)
  expect(text).toContain('harrier_http_requests_in_flight 1')
  await api.close()
})
