import { OTHER_UUID, UUID } from '../words.ts'
import type { References } from './reference.ts'

const auth = '/auth/v2'
const billing = '/api/billing/v1'
const compute = '/api/compute/v1'

const USAGE = { currentUsage: 2, limit: 60, remaining: 58 }
const CASES = { serviceName: 'casework-api', featureKey: 'max_cases', description: 'Cases of one user.', value: 100 }

/** Operations of users, sessions, customers, limits, payments and instances. */
export const accountsReference: References = {
  [`get ${auth}/user`]: { id: 'getCaller' },
  [`delete ${auth}/user`]: { id: 'deleteOwnAccount', codes: ['forbidden', 'not_found', 'payment_failed'] },
  [`post ${auth}/user`]: { id: 'register', codes: ['rate_limited'] },
  [`post ${auth}/session`]: { id: 'openSession', codes: ['rate_limited'] },
  [`get ${auth}/session`]: { id: 'getSession', codes: ['not_found'] },
  [`delete ${auth}/session`]: { id: 'endSession', codes: ['not_found'] },
  [`put ${auth}/session/verification`]: { id: 'verifyCode', codes: ['rate_limited'] },
  [`get ${auth}/session/{id}`]: { id: 'getSessionById', codes: ['not_found'] },
  [`delete ${auth}/session/{id}`]: { id: 'endSessionById', codes: ['not_found'] },
  [`get ${auth}/sessions`]: { id: 'listSessions' },
  [`put ${auth}/session/extend`]: { id: 'extendSession', codes: ['not_found'] },
  [`get ${auth}/oidc`]: { id: 'getIssuer', words: { issuer: 'login.example.com' } },
  [`get ${auth}/oidc/start`]: {
    id: 'startSignOn',
    words: { to: '/search', tab: 'c2lnbi1vbg' },
    codes: ['not_found', 'rate_limited'],
  },
  [`get ${auth}/oidc/callback`]: {
    id: 'finishSignOn',
    words: {
      code: 'SplxlOBeZQQYbYS6WxSbIA',
      state: 'af0ifjsldkj',
      iss: 'https://login.example.com',
      error: 'access_denied',
      error_description: 'The person declined.',
    },
    codes: ['not_found'],
  },
  [`post ${auth}/oidc/backchannel-logout`]: {
    id: 'endSessionsByIssuer',
    words: { logout_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ.e30.c2ln' },
    codes: ['not_found', 'unavailable'],
  },
  [`get ${auth}/oidc/link`]: { id: 'getSignOnLink', codes: ['not_found'] },
  [`post ${auth}/oidc/link`]: {
    id: 'startSignOnLink',
    words: { url: 'https://login.example.com/authorize?client_id=harrier&response_type=code' },
    codes: ['forbidden', 'not_found', 'conflict', 'rate_limited', 'unavailable'],
  },
  [`delete ${auth}/oidc/link`]: { id: 'endSignOnLink', codes: ['forbidden', 'not_found'] },
  [`post ${auth}/keypair`]: {
    id: 'createKeyPair',
    body: { name: 'SIEM', days: 90, scopes: ['read', 'search'] },
    codes: ['forbidden', 'not_found', 'conflict', 'rate_limited'],
  },
  [`get ${auth}/keypair`]: { id: 'getKeyPair', codes: ['not_found'] },
  [`get ${auth}/keypairs`]: { id: 'listKeyPairs' },
  [`patch ${auth}/keypair/{id}`]: {
    id: 'narrowKeyPair',
    body: { name: 'SIEM, lookups', scopes: ['search'], networks: ['203.0.113.0/24'] },
    codes: ['forbidden', 'not_found'],
  },
  [`post ${auth}/keypair/{id}/rotate`]: {
    id: 'rotateKeyPair',
    body: { grace: 3600 },
    codes: ['forbidden', 'not_found'],
  },
  [`delete ${auth}/keypair/{id}`]: { id: 'deleteKeyPair', codes: ['forbidden', 'not_found'] },

  [`put ${auth}/keypair/verification`]: { id: 'verifyKeyPair', codes: ['rate_limited'] },

  [`get ${auth}/emails`]: { id: 'listEmails' },
  [`post ${auth}/email`]: { id: 'addEmail', codes: ['forbidden', 'conflict', 'rate_limited'] },
  [`put ${auth}/email/verification`]: { id: 'verifyEmail', codes: ['rate_limited'] },
  [`put ${auth}/email/preferred`]: { id: 'preferEmail', codes: ['forbidden', 'not_found', 'conflict'] },
  [`delete ${auth}/email/{id}`]: { id: 'removeEmail', codes: ['forbidden', 'not_found', 'conflict'] },
  [`get ${auth}/user/by-email`]: { id: 'findUserByEmail', codes: ['not_found'] },
  [`get ${auth}/user/{id}`]: { id: 'findUser', codes: ['not_found'] },
  [`get ${auth}/verify/status`]: { id: 'getIdentityCheck', codes: ['not_found'] },
  [`post ${auth}/verify`]: { id: 'startIdentityCheck', codes: ['not_found', 'conflict'] },

  [`post ${billing}/customer`]: { id: 'createCustomer', codes: ['forbidden', 'precondition_failed'] },
  [`get ${billing}/customer`]: { id: 'getCustomer', codes: ['not_found'] },
  [`delete ${billing}/customer`]: { id: 'deleteCustomer', codes: ['forbidden', 'not_found', 'payment_failed'] },
  [`get ${billing}/customer/tier`]: { id: 'getCustomerTier', codes: ['not_found'] },
  [`delete ${billing}/customer/leave`]: { id: 'leaveCustomer', codes: ['not_found', 'last_owner'] },
  [`post ${billing}/customer/member`]: {
    id: 'addMember',
    body: { userID: UUID, role: 'user' },
    codes: ['not_found', 'precondition_failed', 'conflict', 'quota_exceeded'],
  },
  [`put ${billing}/customer/member`]: {
    id: 'updateMember',
    words: { role: 'user' },
    codes: ['not_found', 'last_owner'],
  },
  [`delete ${billing}/customer/member/{userID}`]: { id: 'removeMember', codes: ['not_found', 'last_owner'] },
  [`get ${billing}/customer/members`]: { id: 'listMembers', codes: ['not_found'] },
  [`get ${billing}/customer/directory`]: { id: 'listDirectory', codes: ['not_found'] },
  [`get ${billing}/customer/invitations`]: { id: 'listInvitations', codes: ['not_found'] },
  [`delete ${billing}/customer/invitation/{id}`]: { id: 'withdrawInvitation', codes: ['not_found'] },
  [`post ${billing}/customer/transfer-ownership`]: {
    id: 'transferOwnership',
    body: { newOwnerUserID: OTHER_UUID },
    codes: ['not_found'],
  },
  [`post ${billing}/customer/accept`]: {
    id: 'acceptMembership',
    body: { invitation: 'the-text-behind-the-link-of-the-mail' },
    codes: ['not_found', 'precondition_failed', 'conflict'],
  },

  [`get ${billing}/limits`]: { id: 'getLimits', codes: ['forbidden'] },
  [`get ${billing}/limits/{serviceName}`]: { id: 'getLimitsOfService', codes: ['forbidden', 'not_found'] },
  [`get ${billing}/limits/{serviceName}/{featureKey}`]: { id: 'getLimit', codes: ['forbidden', 'not_found'] },
  [`get ${billing}/limits/ip`]: { id: 'getAddressLimits' },
  [`get ${billing}/limits/ip/{serviceName}`]: { id: 'getAddressLimitsOfService', codes: ['not_found'] },
  [`get ${billing}/limits/usage`]: { id: 'getLimitUsage', words: USAGE },
  [`get ${billing}/limits/usage/ip`]: {
    id: 'getAddressLimitUsage',
    words: { ...USAGE, identifierType: 'ip', identifier: '192.0.2.1' },
  },
  [`get ${billing}/quotas`]: { id: 'getQuotas', codes: ['forbidden'] },
  [`get ${billing}/quotas/{serviceName}`]: {
    id: 'getQuotasOfService',
    codes: ['forbidden', 'not_found'],
    words: CASES,
  },
  [`get ${billing}/quotas/{serviceName}/{featureKey}`]: {
    id: 'getQuota',
    codes: ['forbidden', 'not_found'],
    words: CASES,
  },
  [`get ${billing}/quotas/usage`]: {
    id: 'getQuotaUsage',
    words: { ...CASES, currentUsage: 7, limit: 100, remaining: 93, fetchedAt: 0 },
    codes: ['forbidden'],
  },
  [`post ${billing}/stripe/upgrade`]: {
    id: 'startUpgrade',
    codes: ['forbidden', 'not_found', 'conflict', 'payment_failed'],
  },
  [`get ${billing}/stripe/customer`]: {
    id: 'getPaymentPortal',
    words: { url: 'https://payments.example.com/portal/1' },
    codes: ['forbidden', 'not_found', 'payment_failed'],
  },
  [`post ${billing}/stripe/webhook`]: {
    id: 'receivePaymentEvent',
    codes: ['not_found', 'payment_failed'],
    body: { id: 'evt_1', type: 'customer.subscription.updated' },
  },

  [`post ${compute}/instances`]: { id: 'createInstance', words: { name: 'sensor-1' }, codes: ['quota_exceeded'] },
  [`get ${compute}/instances`]: { id: 'listInstances' },
  [`get ${compute}/instances/{id}`]: { id: 'getInstance', codes: ['not_found'] },
  [`delete ${compute}/instances/{id}`]: { id: 'deleteInstance', codes: ['not_found'] },
  [`post ${compute}/instances/{id}/start`]: { id: 'startInstance', codes: ['not_found', 'conflict'] },
  [`post ${compute}/instances/{id}/stop`]: { id: 'stopInstance', codes: ['not_found', 'conflict'] },
  [`post ${compute}/instances/{id}/restart`]: { id: 'restartInstance', codes: ['not_found', 'conflict'] },
  [`post ${compute}/instances/{id}/reset`]: { id: 'resetInstance', codes: ['not_found', 'conflict'] },
  [`get ${compute}/templates`]: { id: 'listTemplates', words: { id: 'workbench' } },
  [`get ${compute}/templates/{id}/zones`]: { id: 'listZones', words: { id: 'workbench' }, codes: ['not_found'] },
}
