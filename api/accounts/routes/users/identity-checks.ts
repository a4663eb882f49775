/** Identity checks: a user requests one, and `auth_admin` decides. */

import { Type } from 'typebox'
import { CHECK_STATES, SHOWN_STATES } from '../../../../schemas/accounts/identity/identity-check.ts'
import { change } from '../../../../schemas/audit/action.ts'
import { idParam } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { IdentityCheckService } from '../../services/users/identity-checks.ts'

const CheckRecord = Type.Object({
  status: Type.Enum([...SHOWN_STATES]),
  attempts: Type.Integer({ description: 'number of checks that the user has requested' }),
  maxAttempts: Type.Integer(),
  expiresAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'when an open check expires',
  }),
  attemptsLog: Type.Array(
    Type.Object({
      createdAt: Type.String({ format: 'date-time' }),
      status: Type.Enum([...CHECK_STATES]),
    }),
  ),
})

const own = { tag: 'Identity', access: 'authenticated', scope: 'account' } as const
const admin = { tag: 'Administration', access: 'auth_admin', scope: 'admin', params: idParam } as const
const USER = '/auth/v2/admin/user/{id}'

export function identityCheckRoutes(checks: IdentityCheckService): Route[] {
  const decision = (word: 'verify' | 'unverify', id: string, summary: string) =>
    route({
      ...admin,
      method: 'put',
      path: `${USER}/${word}`,
      id,
      summary,
      codes: ['not_found', 'conflict'],
      audit: change(`identity.${word}`, 'identity_checks', { param: 'id' }),
      responses: { 204: null },
      handler: async ({ params }) => {
        await checks.decide(params.id, word === 'verify' ? 'passed' : 'failed')
        return reply(204)
      },
    })

  return [
    route({
      ...own,
      method: 'get',
      path: '/auth/v2/verify/status',
      id: 'getIdentityCheck',
      summary: 'Get the state of the caller’s identity verification.',
      codes: ['not_found'],
      responses: { 200: CheckRecord },
      handler: async ({ user }) => reply(200, await checks.own(user)),
    }),
    route({
      ...own,
      method: 'post',
      path: '/auth/v2/verify',
      id: 'startIdentityCheck',
      summary:
        'Request verification of the caller’s identity; an administrator decides. 409 if the identity is already verified or no attempt is left.',
      codes: ['not_found', 'conflict'],
      audit: change('identity.request', 'identity_checks', 'caller'),
      responses: { 200: CheckRecord },
      handler: async ({ user }) => reply(200, await checks.begin(user)),
    }),
    decision('verify', 'confirmIdentity', 'Confirm the identity of a user.'),
    decision('unverify', 'rejectIdentity', 'Reject the identity of a user.'),
    route({
      ...admin,
      method: 'get',
      path: `${USER}/verification`,
      id: 'getIdentityCheckOfUser',
      summary: 'Get the state of a user’s identity verification.',
      codes: ['not_found'],
      responses: { 200: CheckRecord },
      handler: async ({ params }) => reply(200, await checks.of(params.id)),
    }),
    route({
      ...admin,
      method: 'put',
      path: `${USER}/verification/reset`,
      id: 'resetIdentityCheck',
      summary: 'Reset the identity verification of a user, so that the user can request it again.',
      codes: ['not_found'],
      audit: change('identity.reset', 'identity_checks', { param: 'id' }),
      responses: { 200: CheckRecord },
      handler: async ({ params }) => reply(200, await checks.reset(params.id)),
    }),
    route({
      ...admin,
      method: 'put',
      path: `${USER}/verification/revoke`,
      id: 'revokeIdentity',
      summary: 'Revoke the verification of a user’s identity. 409 if the identity is not verified.',
      codes: ['not_found', 'conflict'],
      audit: change('identity.revoke', 'identity_checks', { param: 'id' }),
      responses: { 200: CheckRecord },
      handler: async ({ params }) => reply(200, await checks.revoke(params.id)),
    }),
  ]
}
