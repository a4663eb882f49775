/** The addresses of the caller's user. */

import { Type } from 'typebox'
import type { Email } from '../../../../connectors/postgres/accounts/users/port.ts'
import { change } from '../../../../schemas/audit/action.ts'
import {
  ACKNOWLEDGED,
  Acknowledged,
  acknowledgement,
  CLOSED,
  email,
  idParam,
  uuid,
} from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { UserEmails } from '../../services/users/emails.ts'

export const EmailRecord = Type.Object({
  id: uuid,
  address: Type.String(),
  verified: Type.Boolean({ description: 'whether the address is verified; only a verified address can sign in' }),
  preferred: Type.Boolean({ description: 'whether the platform sends mail to this address' }),
  createdAt: Type.String({ format: 'date-time' }),
})

export const shownEmail = ({ id, address, verified, preferred, createdAt }: Email) => ({
  id,
  address,
  verified,
  preferred,
  createdAt: new Date(createdAt).toISOString(),
})

export const PreferredBody = Type.Object({ emailID: uuid }, CLOSED)

const PATH = '/auth/v2/email'
const own = { tag: 'Sessions', access: 'authenticated', scope: 'account' } as const

export const emailRoutes = (emails: UserEmails): Route[] => [
  route({
    ...own,
    method: 'get',
    path: `${PATH}s`,
    id: 'listEmails',
    summary: "List the addresses of the caller's user, preferred address first.",
    responses: { 200: Type.Array(EmailRecord) },
    handler: async ({ user }) => reply(200, (await emails.list(user)).map(shownEmail)),
  }),
  route({
    ...own,
    method: 'post',
    path: PATH,
    id: 'addEmail',
    summary:
      'Add an address. Requires a session. A code is mailed to the address; the address must be verified with it.',
    codes: ['forbidden', 'conflict', 'rate_limited'],
    audit: change('email.add', 'emails', 'made'),
    body: Type.Object({ address: email }, CLOSED),
    responses: { 201: Type.Object({ ...acknowledgement, id: uuid, verificationCodeID: uuid }) },
    handler: async ({ user, body, ip }) => {
      const { email: added, verificationCodeId } = await emails.add(user, body.address, ip)
      return reply(201, { ...ACKNOWLEDGED, id: added.id, verificationCodeID: verificationCodeId })
    },
  }),
  route({
    ...own,
    method: 'put',
    path: `${PATH}/preferred`,
    id: 'preferEmail',
    summary: 'Make a verified address the preferred one. Requires a session.',
    codes: ['forbidden', 'not_found', 'conflict'],
    audit: change('email.prefer', 'users', { body: 'emailID' }),
    body: PreferredBody,
    responses: { 200: Acknowledged },
    handler: async ({ user, body }) => {
      await emails.prefer(user, body.emailID.toLowerCase())
      return reply(200, ACKNOWLEDGED)
    },
  }),
  route({
    ...own,
    method: 'delete',
    path: `${PATH}/{id}`,
    id: 'removeEmail',
    summary: 'Remove an address; it can no longer sign in. Requires a session. 409 for the preferred address.',
    codes: ['forbidden', 'not_found', 'conflict'],
    audit: change('email.delete', 'emails', { param: 'id' }),
    params: idParam,
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await emails.remove(user, params.id)
      return reply(204)
    },
  }),
]
