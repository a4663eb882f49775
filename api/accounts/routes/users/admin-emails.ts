/** Addresses of every user, for administrators. */

import { Type } from 'typebox'
import { change } from '../../../../schemas/audit/action.ts'
import { ACKNOWLEDGED, Acknowledged, CLOSED, email, idParam } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { EmailAdministration } from '../../services/users/emails.ts'
import { EmailRecord, PreferredBody, shownEmail } from './emails.ts'

const NewEmailBody = Type.Object(
  {
    address: email,
    verified: Type.Optional(
      Type.Boolean({ description: 'Whether the address counts as verified at once. Default: true.' }),
    ),
  },
  CLOSED,
)

const ADMIN = '/auth/v2/admin'
const common = { tag: 'Administration', access: 'auth_admin', scope: 'admin' } as const

export const adminEmailRoutes = (emails: EmailAdministration): Route[] => [
  route({
    ...common,
    method: 'post',
    path: `${ADMIN}/user/{id}/email`,
    id: 'addEmailToUser',
    summary: 'Add an address to a user. 409 if another user has this address.',
    codes: ['not_found', 'conflict'],
    examples: { body: { address: 'ana.second@example.com' } },
    audit: change('email.add', 'emails', 'made'),
    params: idParam,
    body: NewEmailBody,
    responses: { 201: EmailRecord },
    handler: async ({ params, body }) =>
      reply(201, shownEmail(await emails.add(params.id, body.address, body.verified ?? true))),
  }),
  route({
    ...common,
    method: 'put',
    path: `${ADMIN}/email/{id}/verify`,
    id: 'verifyAnyEmail',
    summary:
      'Verify an address without its code, for example when the mail did not arrive. 409 if another user has this address.',
    codes: ['not_found', 'conflict'],
    audit: change('email.verify', 'emails', { param: 'id' }),
    params: idParam,
    responses: { 204: null },
    handler: async ({ params }) => {
      await emails.verify(params.id)
      return reply(204)
    },
  }),
  route({
    ...common,
    method: 'put',
    path: `${ADMIN}/email/preferred`,
    id: 'preferAnyEmail',
    summary: 'Make a verified address the preferred address of its user; the platform sends mail there.',
    codes: ['not_found', 'conflict'],
    audit: change('email.prefer', 'users', { body: 'emailID' }),
    body: PreferredBody,
    responses: { 200: Acknowledged },
    handler: async ({ body }) => {
      await emails.prefer(body.emailID.toLowerCase())
      return reply(200, ACKNOWLEDGED)
    },
  }),
  route({
    ...common,
    method: 'delete',
    path: `${ADMIN}/email/{id}`,
    id: 'removeAnyEmail',
    summary: 'Remove an address of any user. 409 for the preferred address.',
    codes: ['not_found', 'conflict'],
    audit: change('email.delete', 'emails', { param: 'id' }),
    params: idParam,
    responses: { 204: null },
    handler: async ({ params }) => {
      await emails.remove(params.id)
      return reply(204)
    },
  }),
]
