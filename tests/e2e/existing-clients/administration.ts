/** What the public Go client sends for administrators, and for addresses of users: none of it has a JavaScript method. */

import { at, type Call, kept } from './call.ts'

const AUTH = '/api/auth/v2'
const BILLING = '/api/billing/v1'
const COMPUTE = '/api/compute/v1'
const iso = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value))

/** Rows of the Go client are replayed over HTTP alone. */
const go = (
  method: string,
  verb: Call['verb'],
  path: Call['path'],
  status: number,
  more: Pick<Call, 'body' | 'by' | 'keep' | 'holds' | 'eventually'> = {},
): Call => ({ method, verb, path, status, by: 'administrator', ...more })

const second = `second.${process.hrtime.bigint()}@example.com`
const partner = `partner.${process.hrtime.bigint()}@example.com`

const user = (tail: string) => (known: Record<string, string>) => `${AUTH}/admin/user/${known.userID}${tail}`

export const administration: readonly Call[] = [
  go('auth.CreateEmail', 'POST', `${AUTH}/email`, 201, {
    by: 'member',
    body: { address: second },
    keep: kept('email code', 'verificationCodeID'),
  }),
  go('auth.VerifyEmail', 'PUT', `${AUTH}/email/verification`, 200, {
    by: 'anonymous',
    body: (known) => ({ code: known[`code of ${second}`], verificationCodeID: known['email code'] }),
  }),
  go('auth.ListEmails', 'GET', `${AUTH}/emails`, 200, {
    by: 'member',
    keep: (answer, known) => {
      kept('first email', 0, 'id')(answer, known)
      kept('second email', 1, 'id')(answer, known)
    },
    holds: (answer) => at(answer, 1, 'address') === second && at(answer, 1, 'verified') === true,
  }),
  go('auth.SetPreferredEmail', 'PUT', `${AUTH}/email/preferred`, 200, {
    by: 'member',
    body: (known) => ({ emailID: known['second email'] }),
  }),
  go('auth.AdminSetPreferredEmail', 'PUT', `${AUTH}/admin/email/preferred`, 200, {
    body: (known) => ({ emailID: known['first email'] }),
  }),
  go('auth.DeleteEmail', 'DELETE', (known) => `${AUTH}/email/${known['second email']}`, 204, { by: 'member' }),
  go('auth.GetUserByID', 'GET', (known) => `${AUTH}/user/${known.userID}`, 200, { by: 'member' }),
  go('auth.PartnerCreateUser', 'POST', `${AUTH}/partners/user`, 201, {
    body: { email: partner, fullName: 'P', alias: 'p', roles: ['user'], portalURL: '', notify: true },
    keep: kept('partner', 'userID'),
  }),
  go('auth.AdminListUsers', 'GET', `${AUTH}/admin/users?enabled=true&limit=10&page=1&role=user`, 200, {
    holds: (answer) => at(answer, 'users', 0, 'enabled') === true && Array.isArray(at(answer, 'users', 0, 'emails')),
  }),
  go('auth.AdminGetUser', 'GET', user(''), 200, { holds: (answer) => Array.isArray(at(answer, 'emails')) }),
  go('auth.AdminDisableUser', 'PUT', (known) => `${AUTH}/admin/user/${known.partner}/disable`, 204),
  go('auth.AdminEnableUser', 'PUT', (known) => `${AUTH}/admin/user/${known.partner}/enable`, 204),
  go('auth.AdminVerifyUser', 'PUT', user('/verify'), 204),
  go('auth.AdminGetVerification', 'GET', user('/verification'), 200, {
    holds: (answer) => at(answer, 'status') === 'passed',
  }),
  go('auth.AdminRevokeVerification', 'PUT', user('/verification/revoke'), 200),
  go('auth.AdminUnverifyUser', 'PUT', user('/unverify'), 204),
  go('auth.AdminResetVerification', 'PUT', user('/verification/reset'), 200),
  go('auth.AdminAssignRole', 'POST', (known) => `${AUTH}/admin/user/${known.partner}/roles`, 200, {
    body: { role: 'reporter', userID: '' },
    holds: (answer) => at(answer, 'role') === 'reporter',
  }),
  go('auth.AdminListRoles', 'GET', (known) => `${AUTH}/admin/user/${known.partner}/roles`, 200),
  go('auth.AdminRemoveRole', 'DELETE', (known) => `${AUTH}/admin/user/${known.partner}/roles/reporter`, 204),
  go('auth.AdminCreateSession', 'POST', (known) => `${AUTH}/admin/user/${known.partner}/session`, 201, {
    body: { kind: 'support' },
    keep: kept('partner session', 'sessionID'),
  }),
  go('auth.AdminListSessions', 'GET', `${AUTH}/admin/sessions?limit=10&page=1`, 200, {
    holds: (answer) => iso(at(answer, 'sessions', 0, 'expireAt')) && Number(at(answer, 'items')) > 0,
  }),
  go('auth.AdminVerifySession', 'PUT', (known) => `${AUTH}/admin/session/${known['partner session']}/verify`, 204),
  go('auth.AdminDeleteSession', 'DELETE', (known) => `${AUTH}/admin/session/${known['partner session']}`, 204),
  go('auth.AdminCreateKeyPair', 'POST', (known) => `${AUTH}/admin/user/${known.partner}/keypair`, 201, {
    keep: kept('partner key', 'keyID'),
  }),
  go('auth.AdminListKeyPairs', 'GET', `${AUTH}/admin/keypairs?limit=10&page=1`, 200, {
    holds: (answer, known) => at(answer, 'keyPairs', 0, 'id') === known['partner key'],
  }),
  go('auth.AdminVerifyKeyPair', 'PUT', (known) => `${AUTH}/admin/keypair/${known['partner key']}/verify`, 204),
  go('auth.AdminDeleteKeyPair', 'DELETE', (known) => `${AUTH}/admin/keypair/${known['partner key']}`, 204),
  go('-', 'POST', (known) => `${AUTH}/admin/user/${known.partner}/email`, 201, {
    body: { address: `third.${second}`, verified: false },
    keep: kept('third email', 'id'),
  }),
  go('auth.AdminVerifyEmail', 'PUT', (known) => `${AUTH}/admin/email/${known['third email']}/verify`, 204),
  go('auth.AdminDeleteEmail', 'DELETE', (known) => `${AUTH}/admin/email/${known['third email']}`, 204),

  go('billing.AdminListCustomers', 'GET', `${BILLING}/admin/customers?limit=10&page=1&status=active`, 200, {
    holds: (answer) =>
      iso(at(answer, 'customers', 0, 'createdAt')) && typeof at(answer, 'customers', 0, 'email') === 'string',
  }),
  go('billing.AdminGetCustomer', 'GET', (known) => `${BILLING}/admin/customer/${known.customerID}`, 200, {
    holds: (answer) => typeof at(answer, 'billingAddress') === 'string',
  }),
  go('billing.AdminAddMember', 'POST', (known) => `${BILLING}/admin/customer/${known.customerID}/member`, 201, {
    body: (known) => ({ userID: known.partner, role: 'user' }),
  }),
  go(
    'billing.AdminListCustomerMembers',
    'GET',
    (known) => `${BILLING}/admin/customer/${known.customerID}/members`,
    200,
    {
      holds: (answer, known) =>
        (at(answer, 'members') as unknown[]).some(
          (one) =>
            at(one, 'userID') === known.partner &&
            at(one, 'email') === partner &&
            typeof at(one, 'joinedAt') === 'string',
        ),
    },
  ),
  go(
    'billing.AdminRemoveMember',
    'DELETE',
    (known) => `${BILLING}/admin/customer/${known.customerID}/member/${known.partner}`,
    204,
  ),
  go('billing.AdminListTiers', 'GET', `${BILLING}/admin/tiers?active=true`, 200, {
    holds: (answer) => at(answer, 'tiers', 0, 'id') === 'free' && at(answer, 'tiers', 0, 'isActive') === true,
  }),
  go('billing.AdminSetDefaultTier', 'PUT', `${BILLING}/admin/tiers/free/default`, 204),

  go('-', 'POST', `${COMPUTE}/instances`, 202, {
    by: 'member',
    body: { templateID: 'sandbox', zone: 'zone-b' },
    keep: kept('administered', 'id'),
  }),
  go('compute.AdminListInstances', 'GET', (known) => `${COMPUTE}/admin/instances?customerID=${known.customerID}`, 200, {
    holds: (answer, known) => at(answer, 'instances', 0, 'id') === known.administered,
  }),
  go('compute.AdminGetInstance', 'GET', (known) => `${COMPUTE}/admin/instances/${known.administered}`, 200, {
    eventually: true,
    holds: (answer) => at(answer, 'status') === 'RUNNING',
  }),
  go(
    'compute.AdminRestartInstance',
    'POST',
    (known) => `${COMPUTE}/admin/instances/${known.administered}/restart`,
    202,
  ),
  go('-', 'GET', (known) => `${COMPUTE}/admin/instances/${known.administered}`, 200, {
    eventually: true,
    holds: (answer) => at(answer, 'status') === 'RUNNING',
  }),
  go('compute.AdminStopInstance', 'POST', (known) => `${COMPUTE}/admin/instances/${known.administered}/stop`, 202),
  go('-', 'GET', (known) => `${COMPUTE}/admin/instances/${known.administered}`, 200, {
    eventually: true,
    holds: (answer) => at(answer, 'status') === 'STOPPED',
  }),
  go('compute.AdminStartInstance', 'POST', (known) => `${COMPUTE}/admin/instances/${known.administered}/start`, 202),
  go('-', 'GET', (known) => `${COMPUTE}/admin/instances/${known.administered}`, 200, {
    eventually: true,
    holds: (answer) => at(answer, 'status') === 'RUNNING',
  }),
  go('compute.AdminResetInstance', 'POST', (known) => `${COMPUTE}/admin/instances/${known.administered}/reset`, 202),
  go('compute.AdminDeleteInstance', 'DELETE', (known) => `${COMPUTE}/admin/instances/${known.administered}`, 204),
  go('auth.AdminDeleteUser', 'DELETE', (known) => `${AUTH}/admin/user/${known.partner}`, 204),
]
