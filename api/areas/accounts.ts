import type { ApiConfig, ApiPorts } from '../ports.ts'
import type { Route } from '../route.ts'
import { adminCredentialRoutes } from '../routes/admin-credentials.ts'
import { adminCustomerRoutes } from '../routes/admin-customers.ts'
import { adminEmailRoutes } from '../routes/admin-emails.ts'
import { adminTierRoutes } from '../routes/admin-tiers.ts'
import { adminUserRightRoutes } from '../routes/admin-user-rights.ts'
import { adminUserRoutes } from '../routes/admin-users.ts'
import { billingRoutes } from '../routes/billing.ts'
import { callerRoutes } from '../routes/caller.ts'
import { customerRoutes } from '../routes/customers.ts'
import { endingRoutes } from '../routes/endings.ts'
import { identityCheckRoutes } from '../routes/identity-checks.ts'
import { limitRoutes } from '../routes/limits.ts'
import { memberRoutes } from '../routes/members.ts'
import { quotaRoutes } from '../routes/quotas.ts'
import { sessionsAndKeyPairs } from '../routes/session-area.ts'
import { userLookupRoutes } from '../routes/user-lookup.ts'
import { allowances } from '../services/allowance.ts'
import { billingService } from '../services/billing.ts'
import { callers } from '../services/caller.ts'
import { credentialAdministration } from '../services/credential-administration.ts'
import { customerAdministration } from '../services/customer-administration.ts'
import { customerEnding } from '../services/customer-end.ts'
import { emailAdministration } from '../services/emails.ts'
import { identityCheckService } from '../services/identity-checks.ts'
import { teamService } from '../services/team.ts'
import { tierAdministration } from '../services/tier-administration.ts'
import { userLookup } from '../services/user-lookup.ts'
import { userRecords } from '../services/user-records.ts'
import { userRights } from '../services/user-rights.ts'
import { userService } from '../services/users.ts'

/** Users, customers and what they may do: sessions, teams, limits, quotas, payments, and their ends. */
export function accountsArea(ports: ApiPorts, config: ApiConfig): Route[] {
  const users = userService({ ...ports, records: userRecords(ports) })
  const checks = identityCheckService({
    checks: ports.identityChecks,
    hasUser: async (id) => (await ports.accounts.user(id)) !== null,
    now: ports.now,
  })
  const people = { ...ports, url: config.url }
  const team = teamService(people)
  const allowed = allowances({ tiers: config.tiers, subscriptions: ports.subscriptions })
  return [
    ...callerRoutes({ caller: callers(ports), users }),
    ...userLookupRoutes(userLookup(ports)),
    ...adminUserRoutes(users),
    ...adminUserRightRoutes(userRights(ports)),
    ...adminCredentialRoutes(credentialAdministration(ports)),
    ...adminEmailRoutes(emailAdministration(ports)),
    ...identityCheckRoutes(checks),
    ...sessionsAndKeyPairs(ports),
    ...customerRoutes(team),
    ...memberRoutes(team),
    ...adminCustomerRoutes(customerAdministration(people)),
    ...adminTierRoutes(tierAdministration({ tiers: config.tiers, settings: ports.settings })),
    ...limitRoutes({ limits: ports.limits, allowances: allowed, now: ports.now }),
    ...quotaRoutes(ports.quotas, allowed),
    ...billingRoutes(billingService(ports)),
    ...endingRoutes({ ending: customerEnding(ports), reconcile: ports.reconcile }),
  ]
}
