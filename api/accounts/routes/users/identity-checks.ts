/** Who a user is, as somebody has verified: asked for by the user, decided by `auth_admin`. */

import { Type } from 'typebox'
import { CHECK_STATES, SHOWN_STATES } from '../../../../schemas/accounts/identity-check.ts'
import { idParam } from '../../../http/fields.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { IdentityCheckService } from '../../services/users/identity-checks.ts'

const CheckRecord = Type.Object({
  status: Type.Enum([...SHOWN_STATES]),
  attempts: Type.Integer({ description: 'checks that the user has asked for' }),
  maxAttempts: Type.Integer(),
  expiresAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'when an open check ends by itself',
  }),
  attemptsLog: Type.Array(
    Type.Object({
      createdAt: Type.String({ format: 'date-time' }),
      status: Type.Enum([...CHECK_STATES]),
    }),
  ),
})

const own = { tag: 'Identity', access: 'authenticated' } as const
const admin = { tag: 'Administration', access: 'auth_admin', params: idParam } as const
const USER = '/auth/v2/admin/user/{id}'

export function identityCheckRoutes(checks: IdentityCheckService): Route[] {
  const decision = (word: 'verify' | 'unverify', summary: string) =>
    route({
      ...admin,
      method: 'put',
      path: `${USER}/${word}`,
      summary,
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
      summary: 'How far the verification of the caller’s identity is.',
      responses: { 200: CheckRecord },
      handler: async ({ user }) => reply(200, await checks.own(user)),
    }),
    route({
      ...own,
      method: 'post',
      path: '/auth/v2/verify',
      summary:
        'Ask for a verification of the own identity; an administrator decides. 409 when there is no need or no attempt left.',
      responses: { 200: CheckRecord },
      handler: async ({ user }) => reply(200, await checks.begin(user)),
    }),
    decision('verify', 'The identity of a user is verified.'),
    decision('unverify', 'The identity of a user is not verified.'),
    route({
      ...admin,
      method: 'get',
      path: `${USER}/verification`,
      summary: 'How far the verification of a user’s identity is.',
      responses: { 200: CheckRecord },
      handler: async ({ params }) => reply(200, await checks.of(params.id)),
    }),
    route({
      ...admin,
      method: 'put',
      path: `${USER}/verification/reset`,
      summary: 'Forget every verification of a user, so that it may ask anew.',
      responses: { 200: CheckRecord },
      handler: async ({ params }) => reply(200, await checks.reset(params.id)),
    }),
    route({
      ...admin,
      method: 'put',
      path: `${USER}/verification/revoke`,
      summary: 'Take back a verification. 409 when there is none.',
      responses: { 200: CheckRecord },
      handler: async ({ params }) => reply(200, await checks.revoke(params.id)),
    }),
  ]
}
