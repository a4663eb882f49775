/** The whole API in memory: real HTTP over fakes that can be looked at. */

import { expect } from 'vitest'
import type { ApiPorts } from '../../../api/app.ts'
import { createApp } from '../../../api/app.ts'
import { listen } from '../../../api/http/server.ts'
import type { ApiConfig } from '../../../api/ports.ts'
import { documentedAnswers } from './documented.ts'
import { apiConfig, apiPorts } from './ports.ts'

export { ADMIN, apiConfig, apiPorts, asAdmin, noAccounts } from './ports.ts'

export type RunningApi = { url: string; close: () => Promise<void> }

/** Serves the API on a free loopback port; `close` rejects where it answered with an error that its document lacks. */
export async function startApi(given: Partial<ApiPorts> = {}, config: Partial<ApiConfig> = {}): Promise<RunningApi> {
  const served = createApp(apiPorts(given), { ...apiConfig, ...config })
  const watch = documentedAnswers()
  served.app.middleware.unshift(watch.middleware)
  const server = await listen(served, { host: '127.0.0.1', port: 0 })
  return {
    url: server.url,
    close: async () => {
      await server.stop(0)
      watch.settle()
    },
  }
}

/** An error answer, checked for the shape that every error has; returns its `error`. */
export async function errorOf(response: Response) {
  const { error } = (await response.json()) as { error: Record<string, string> }
  const { message, error_id: id } = error
  expect(error).toEqual({
    message: expect.stringMatching(/./),
    type: response.status >= 500 ? 'ERROR' : 'WARNING',
    code: expect.stringMatching(/^[a-z_]+$/),
    error_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ...(error.param === undefined ? {} : { param: expect.any(String) }),
  })
  expect(response.headers.get('x-error-id')).toBe(id)
  expect(response.headers.get('x-error')).toMatch(/^[\x20-\x7e]+$/)
  return { message, code: error.code, param: error.param, id }
}
