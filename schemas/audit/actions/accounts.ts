/** Users, sessions, keys, groups, membership and plans. */

import { type Actions, change, refusing } from '../action.ts'

const id = { param: 'id' }
const WRONG_CODE = 400
const ADMIN = '/auth/v2/admin'
const CUSTOMER = '/api/billing/v1/customer'
const BILLING = '/api/billing/v1/admin'
const INSTANCES = '/api/compute/v1'
/** What a reconciliation repairs. */
const REPAIRED = ['customers', 'memberships', 'instances', 'casework_records', 'quota_usage', 'handled_events']

const OWN: Actions = {
  'put /auth/v2/session/verification': refusing(change('session.start', 'insert sessions', null), WRONG_CODE),
  'put /auth/v2/keypair/verification': refusing(change('key.verify', 'update key_pairs', null), WRONG_CODE),
  'put /auth/v2/email/verification': refusing(change('email.verify', 'update emails', null), WRONG_CODE),
  'put /auth/v2/session/extend': change('session.extend', 'sessions', 'caller'),
  'delete /auth/v2/session': change('session.end', 'sessions', 'caller'),
  'delete /auth/v2/session/{id}': change('session.end', 'sessions', id),
  'post /auth/v2/keypair': change('key.make', 'insert key_pairs', 'made'),
  'patch /auth/v2/keypair/{id}': change('key.narrow', 'update key_pairs', id),
  'post /auth/v2/keypair/{id}/rotate': change('key.rotate', 'update key_pairs', id),
  'delete /auth/v2/keypair/{id}': change('key.delete', 'key_pairs', id),
  'post /auth/v2/email': change('email.add', 'emails', 'made'),
  'put /auth/v2/email/preferred': change('email.prefer', 'users', { body: 'emailID' }),
  'delete /auth/v2/email/{id}': change('email.delete', 'emails', id),
  'delete /auth/v2/user': change('user.delete', 'users', 'caller'),
  'post /auth/v2/verify': change('identity.request', 'identity_checks', 'caller'),
}

/** A browser comes back from the issuer with a GET, which starts a session or links the account. */
const SIGN_ON: Actions = {
  'get /auth/v2/oidc/callback': change('session.start', ['insert sessions', 'insert sign_on_identities'], null),
  'delete /auth/v2/oidc/link': change('account.unlink', 'delete sign_on_identities', 'caller'),
  'post /auth/v2/oidc/backchannel-logout': change('session.end', 'delete sessions', null),
}

const USERS: Actions = {
  [`post ${ADMIN}/user`]: change('user.make', 'users', 'made'),
  'post /auth/v2/partners/user': change('user.make', 'users', 'made'),
  [`put ${ADMIN}/user/{id}`]: change('user.change', 'users', id),
  [`delete ${ADMIN}/user/{id}`]: change('user.delete', 'users', id),
  [`put ${ADMIN}/user/{id}/enable`]: change('user.enable', 'users', id),
  [`put ${ADMIN}/user/{id}/disable`]: change('user.disable', 'users', id),
  [`put ${ADMIN}/user/{id}/verify`]: change('identity.verify', 'identity_checks', id),
  [`put ${ADMIN}/user/{id}/unverify`]: change('identity.unverify', 'identity_checks', id),
  [`put ${ADMIN}/user/{id}/verification/reset`]: change('identity.reset', 'identity_checks', id),
  [`put ${ADMIN}/user/{id}/verification/revoke`]: change('identity.revoke', 'identity_checks', id),
  [`post ${ADMIN}/user/{id}/roles`]: change('role.give', 'users', id),
  [`delete ${ADMIN}/user/{id}/roles/{role}`]: change('role.take', 'users', id),
  [`post ${ADMIN}/user/{id}/session`]: change('session.open', 'sessions', id),
  [`put ${ADMIN}/session/{id}/verify`]: change('session.verify', 'sessions', id),
  [`delete ${ADMIN}/session/{id}`]: change('session.end', 'sessions', id),
  [`post ${ADMIN}/user/{id}/keypair`]: change('key.make', 'key_pairs', 'made'),
  [`put ${ADMIN}/keypair/{id}/verify`]: change('key.verify', 'key_pairs', id),
  [`delete ${ADMIN}/keypair/{id}`]: change('key.delete', 'key_pairs', id),
  [`post ${ADMIN}/user/{id}/email`]: change('email.add', 'emails', 'made'),
  [`put ${ADMIN}/email/{id}/verify`]: change('email.verify', 'emails', id),
  [`put ${ADMIN}/email/preferred`]: change('email.prefer', 'users', { body: 'emailID' }),
  [`delete ${ADMIN}/email/{id}`]: change('email.delete', 'emails', id),
}

const CUSTOMERS: Actions = {
  [`post ${CUSTOMER}`]: change('customer.make', 'customers', 'made'),
  [`delete ${CUSTOMER}`]: change('customer.delete', 'customers', 'customer'),
  [`post ${CUSTOMER}/accept`]: change('member.accept', 'memberships', 'caller'),
  [`delete ${CUSTOMER}/leave`]: change('member.leave', ['memberships', 'customers'], 'caller'),
  [`post ${CUSTOMER}/member`]: change('member.add', ['memberships', 'insert invitations'], { body: 'userID' }),
  [`delete ${CUSTOMER}/invitation/{id}`]: change('invitation.withdraw', 'invitations', id),
  [`put ${CUSTOMER}/member`]: change('member.change', 'memberships', { body: 'userID' }),
  [`delete ${CUSTOMER}/member/{userID}`]: change('member.remove', 'memberships', { param: 'userID' }),
  [`post ${CUSTOMER}/transfer-ownership`]: change('member.transfer', 'memberships', { body: 'newOwnerUserID' }),
  [`post ${BILLING}/customer/{id}/member`]: change('member.add', 'memberships', { body: 'userID' }),
  [`delete ${BILLING}/customer/{id}/member/{userID}`]: change('member.remove', 'memberships', { param: 'userID' }),
  [`delete ${BILLING}/customer/{id}`]: change('customer.delete', 'customers', id),
  [`put ${BILLING}/customer/{id}/subscription`]: change('subscription.set', 'customers', id),
  [`delete ${BILLING}/customer/{id}/subscription`]: change('subscription.cancel', 'customers', id),
  [`put ${BILLING}/tiers/{id}/default`]: change('tier.default', 'settings', null),
  [`post ${BILLING}/reconcile`]: change('accounts.reconcile', REPAIRED, null),
  'post /api/billing/v1/stripe/upgrade': change('subscription.order', ['payment_accounts', 'customers'], 'customer'),
  'post /api/billing/v1/stripe/webhook': change('subscription.notice', ['payment_accounts', 'customers'], null),
}

const steps = (path: string, ...all: string[]): Actions =>
  Object.fromEntries(
    all.map((step) => [`post ${INSTANCES}${path}/${step}`, change(`instance.${step}`, 'instances', id)]),
  )

const COMPUTE: Actions = {
  [`post ${INSTANCES}/instances`]: change('instance.make', 'instances', 'made'),
  [`delete ${INSTANCES}/instances/{id}`]: change('instance.delete', 'instances', id),
  [`delete ${INSTANCES}/admin/instances/{id}`]: change('instance.delete', 'instances', id),
  ...steps('/instances/{id}', 'start', 'stop', 'restart', 'reset'),
  ...steps('/admin/instances/{id}', 'start', 'stop', 'restart', 'reset'),
}

export const ACCOUNT_ACTIONS: Actions = { ...OWN, ...SIGN_ON, ...USERS, ...CUSTOMERS, ...COMPUTE }
