import type { ApiConfig, ApiPorts } from '../ports.ts'
import type { Route } from '../route.ts'
import { adminCustomerRoutes } from '../routes/admin-customers.ts'
import { adminUserRoutes } from '../routes/admin-users.ts'
import { billingRoutes } from '../routes/billing.ts'
import { callerRoutes } from '../routes/caller.ts'
import { customerRoutes } from '../routes/customers.ts'
import { endingRoutes } from '../routes/endings.ts'
import { limitRoutes } from '../routes/limits.ts'
import { memberRoutes } from '../routes/members.ts'
import { quotaRoutes } from '../routes/quotas.ts'
import { sessionsAndKeyPairs } from '../routes/session-area.ts'
import { allowances } from '../services/allowance.ts'
import { billingService } from '../services/billing.ts'
import { callers } from '../services/caller.ts'
import { customerEnding } from '../services/customer-end.ts'
import { customerAdministration, teamService } from '../services/team.ts'
import { userService } from '../services/users.ts'

/** Users, customers and what they may do: sessions, teams, limits, quotas, payments, and their ends. */
export function accountsArea(ports: ApiPorts, config: ApiConfig): Route[] {
  const users = userService(ports)
  const team = teamService(ports)
  const allowed = allowances({ tiers: config.tiers, subscriptions: ports.subscriptions })
  return [
    ...callerRoutes({ caller: callers(ports), users }),
    ...adminUserRoutes(users),
    ...sessionsAndKeyPairs(ports),
    ...customerRoutes(team),
    ...memberRoutes(team),
    ...adminCustomerRoutes(customerAdministration(ports)),
    ...limitRoutes({ limits: ports.limits, allowances: allowed, now: ports.now }),
    ...quotaRoutes(ports.quotas, allowed),
    ...billingRoutes(billingService(ports)),
    ...endingRoutes({ ending: customerEnding(ports), reconcile: ports.reconcile }),
  ]
}
