import type { References } from './reference.ts'

const admin = '/auth/v2/admin'
const billing = '/api/billing/v1/admin'
const compute = '/api/compute/v1/admin/instances'

/** Operations of administrators: users, credentials, customers, tiers and all instances. */
export const accountsAdministrationReference: References = {
  [`post ${admin}/user`]: { id: 'createUser', codes: ['conflict'] },
  'post /auth/v2/partners/user': {
    id: 'introduceUser',
    words: { email: 'ben@example.com', portalURL: 'https://portal.example.com/' },
    codes: ['conflict'],
  },
  [`get ${admin}/users`]: { id: 'listUsers' },
  [`get ${admin}/user/{id}`]: { id: 'getUser', codes: ['not_found'] },
  [`put ${admin}/user/{id}`]: { id: 'updateUser', codes: ['not_found'] },
  [`delete ${admin}/user/{id}`]: { id: 'deleteUser', codes: ['not_found', 'payment_failed'] },
  [`put ${admin}/user/{id}/disable`]: { id: 'disableUser', codes: ['not_found'] },
  [`put ${admin}/user/{id}/enable`]: { id: 'enableUser', codes: ['not_found'] },
  [`get ${admin}/user/{id}/roles`]: { id: 'listRoles', codes: ['not_found'] },
  [`post ${admin}/user/{id}/roles`]: { id: 'grantRole', body: { role: 'reporter' }, codes: ['not_found'] },
  [`delete ${admin}/user/{id}/roles/{role}`]: {
    id: 'withdrawRole',
    words: { role: 'reporter' },
    codes: ['not_found'],
  },
  [`post ${admin}/user/{id}/keypair`]: {
    id: 'createKeyPairForUser',
    body: { name: 'SIEM', days: 90, scopes: ['read', 'search'] },
    codes: ['not_found', 'conflict'],
  },
  [`post ${admin}/user/{id}/session`]: { id: 'openSessionForUser', codes: ['not_found', 'conflict'] },
  [`get ${admin}/sessions`]: { id: 'listAllSessions' },
  [`put ${admin}/session/{id}/verify`]: { id: 'verifySession', codes: ['not_found'] },
  [`delete ${admin}/session/{id}`]: { id: 'endAnySession', codes: ['not_found'] },
  [`get ${admin}/keypairs`]: { id: 'listAllKeyPairs' },
  [`put ${admin}/keypair/{id}/verify`]: { id: 'verifyAnyKeyPair', codes: ['not_found'] },
  [`delete ${admin}/keypair/{id}`]: { id: 'deleteAnyKeyPair', codes: ['not_found'] },
  [`post ${admin}/user/{id}/email`]: {
    id: 'addEmailToUser',
    body: { address: 'ana.second@example.com' },
    codes: ['not_found', 'conflict'],
  },
  [`put ${admin}/email/{id}/verify`]: { id: 'verifyAnyEmail', codes: ['not_found', 'conflict'] },
  [`put ${admin}/email/preferred`]: { id: 'preferAnyEmail', codes: ['not_found', 'conflict'] },
  [`delete ${admin}/email/{id}`]: { id: 'removeAnyEmail', codes: ['not_found', 'conflict'] },
  [`put ${admin}/user/{id}/verify`]: { id: 'confirmIdentity', codes: ['not_found', 'conflict'] },
  [`put ${admin}/user/{id}/unverify`]: { id: 'rejectIdentity', codes: ['not_found', 'conflict'] },
  [`get ${admin}/user/{id}/verification`]: { id: 'getIdentityCheckOfUser', codes: ['not_found'] },
  [`put ${admin}/user/{id}/verification/reset`]: { id: 'resetIdentityCheck', codes: ['not_found'] },
  [`put ${admin}/user/{id}/verification/revoke`]: { id: 'revokeIdentity', codes: ['not_found', 'conflict'] },

  [`get ${billing}/customers`]: { id: 'listCustomers' },
  [`get ${billing}/customer/{id}`]: { id: 'getAnyCustomer', codes: ['not_found'] },
  [`delete ${billing}/customer/{id}`]: { id: 'deleteAnyCustomer', codes: ['not_found', 'payment_failed'] },
  [`get ${billing}/customer/{id}/members`]: { id: 'listAnyMembers', codes: ['not_found'] },
  [`post ${billing}/customer/{id}/member`]: {
    id: 'appointMember',
    codes: ['not_found', 'precondition_failed', 'conflict', 'quota_exceeded', 'last_owner'],
  },
  [`delete ${billing}/customer/{id}/member/{userID}`]: { id: 'dismissMember', codes: ['not_found', 'last_owner'] },
  [`put ${billing}/customer/{id}/subscription`]: {
    id: 'setSubscription',
    words: { tier: 'Pro' },
    codes: ['not_found', 'payment_failed'],
  },
  [`delete ${billing}/customer/{id}/subscription`]: {
    id: 'cancelSubscription',
    codes: ['not_found', 'payment_failed'],
  },
  [`get ${billing}/tiers`]: { id: 'listTiers' },
  [`put ${billing}/tiers/{id}/default`]: { id: 'setDefaultTier', words: { id: 'pro' }, codes: ['not_found'] },
  [`get ${billing}/billing/status`]: { id: 'getBillingStatus', codes: ['not_found'] },
  [`post ${billing}/reconcile`]: { id: 'reconcile', body: { dryRun: true } },

  [`get ${compute}`]: { id: 'listAllInstances' },
  [`get ${compute}/{id}`]: { id: 'getAnyInstance', codes: ['not_found'] },
  [`post ${compute}/{id}/start`]: { id: 'startAnyInstance', codes: ['not_found', 'conflict'] },
  [`post ${compute}/{id}/stop`]: { id: 'stopAnyInstance', codes: ['not_found', 'conflict'] },
  [`post ${compute}/{id}/restart`]: { id: 'restartAnyInstance', codes: ['not_found', 'conflict'] },
  [`post ${compute}/{id}/reset`]: { id: 'resetAnyInstance', codes: ['not_found', 'conflict'] },
  [`delete ${compute}/{id}`]: { id: 'deleteAnyInstance', codes: ['not_found'] },
}
