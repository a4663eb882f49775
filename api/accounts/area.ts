import { allowances } from '../http/limits/allowance.ts'
import type { Route } from '../http/route.ts'
import type { ApiConfig, CommonPorts } from '../ports.ts'
import type { AccountsPorts } from './ports.ts'
import { adminInstanceRoutes } from './routes/instances/admin-instances.ts'
import { instanceRoutes } from './routes/instances/instances-routes.ts'
import { adminTierRoutes } from './routes/plan/admin-tiers.ts'
import { billingRoutes } from './routes/plan/billing-routes.ts'
import { limitRoutes } from './routes/plan/limits-routes.ts'
import { quotaRoutes } from './routes/plan/quotas.ts'
import { adminCredentialRoutes } from './routes/sessions/admin-credentials.ts'
import { sessionsAndKeyPairs } from './routes/sessions/session-area.ts'
import { signOnRoutes } from './routes/sign-on-routes.ts'
import { adminCustomerRoutes } from './routes/team/admin-customers.ts'
import { customerRoutes } from './routes/team/customers.ts'
import { invitationRoutes } from './routes/team/invitations-routes.ts'
import { memberRoutes } from './routes/team/members.ts'
import { offboardingRoutes } from './routes/team/offboarding.ts'
import { adminEmailRoutes } from './routes/users/admin-emails.ts'
import { adminUserRightRoutes } from './routes/users/admin-user-rights.ts'
import { adminUserRoutes } from './routes/users/admin-users.ts'
import { callerRoutes } from './routes/users/caller.ts'
import { identityCheckRoutes } from './routes/users/identity-checks.ts'
import { userLookupRoutes } from './routes/users/user-lookup.ts'
import { billingService } from './services/billing-service.ts'
import { instanceService } from './services/instances-service.ts'
import { credentialAdministration } from './services/sessions/credential-administration.ts'
import { keyMaker } from './services/sessions/key-maker.ts'
import { signOnService } from './services/sign-on-service.ts'
import { customerAdministration } from './services/team/customer-administration.ts'
import { offboardingService } from './services/team/customer-offboarding.ts'
import { invitationService } from './services/team/invitations-service.ts'
import { teamService } from './services/team/team-service.ts'
import { tierAdministration } from './services/tier-administration.ts'
import { callers } from './services/users/caller.ts'
import { emailAdministration } from './services/users/emails.ts'
import { identityCheckService } from './services/users/identity-checks.ts'
import { userLookup } from './services/users/user-lookup.ts'
import { userRecords } from './services/users/user-records.ts'
import { userRights } from './services/users/user-rights.ts'
import { userService } from './services/users/users-service.ts'

/** Routes of users and customers: sessions, teams, limits, quotas, payments, offboarding. */
export function accountsArea(ports: CommonPorts & AccountsPorts, config: ApiConfig): Route[] {
  const users = userService({ ...ports, records: userRecords(ports), keys: keyMaker(ports.sessions) })
  const checks = identityCheckService({
    checks: ports.identityChecks,
    hasUser: async (id) => (await ports.accounts.user(id)) !== null,
    now: ports.now,
  })
  const people = { ...ports, url: config.url }
  const team = teamService(people)
  const invitations = invitationService(people)
  const allowed = allowances({ tiers: config.tiers, subscriptions: ports.subscriptions })
  return [
    ...callerRoutes({ caller: callers(ports), users }),
    ...userLookupRoutes(userLookup(ports)),
    ...adminUserRoutes(users),
    ...adminUserRightRoutes(userRights(ports)),
    ...adminCredentialRoutes(credentialAdministration(ports), ports.now),
    ...adminEmailRoutes(emailAdministration(ports)),
    ...identityCheckRoutes(checks),
    ...sessionsAndKeyPairs(ports),
    ...signOnRoutes(ports.singleSignOn && signOnService(ports, ports.singleSignOn)),
    ...customerRoutes(team, invitations),
    ...memberRoutes(team, invitations),
    ...invitationRoutes(team, invitations),
    ...adminCustomerRoutes(customerAdministration(people)),
    ...adminTierRoutes(tierAdministration({ tiers: config.tiers, settings: ports.settings })),
    ...limitRoutes({
      limits: ports.limits,
      streams: ports.live.streams,
      allowances: allowed,
      now: ports.now,
    }),
    ...quotaRoutes(ports.quotas, allowed),
    ...billingRoutes(billingService(ports)),
    ...offboardingRoutes({ offboarding: offboardingService(ports), reconcile: ports.reconcile }),
  ]
}

/** Routes of compute instances, which belong to customers. Apart, because the API document has them before casework. */
export function instancesArea(ports: CommonPorts & AccountsPorts, config: ApiConfig): Route[] {
  const instances = instanceService({ ...ports, stepMs: config.computeStepMs })
  return [...instanceRoutes(instances, teamService({ ...ports, url: config.url })), ...adminInstanceRoutes(instances)]
}
