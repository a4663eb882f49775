import { expect, test } from 'vitest'
import { apiRoutes } from '../../../../../../api/app.ts'
import { BUILT_IN_TIERS } from '../../../../../../schemas/accounts/tiers/tiers.ts'
import { apiConfig, apiPorts } from '../../../../../builders/api/ports.ts'

test('a limit key that no route uses says that it is there for billing only, and no other key does', () => {
  const routes = apiRoutes(apiPorts(), apiConfig)
  const used = new Set(routes.flatMap(({ limit }) => limit?.features.map((key) => `${limit.service} ${key}`) ?? []))
  for (const { limits } of Object.values(BUILT_IN_TIERS))
    for (const [service, keys] of Object.entries(limits))
      for (const [key, { window, description }] of Object.entries(keys))
        expect([service, key, /For billing only/.test(description)]).toEqual([
          service,
          key,
          window !== 'open' && !used.has(`${service} ${key}`),
        ])
})
