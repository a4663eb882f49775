/** The addresses of the caller's user. */

import { Type } from 'typebox'
import type { Email } from '../../../../connectors/postgres/emails/port.ts'
import { ACKNOWLEDGED, Acknowledged, acknowledgement, CLOSED, email, idParam, uuid } from '../../../http/fields.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { UserEmails } from '../../services/users/emails.ts'

export const EmailRecord = Type.Object({
  id: uuid,
  address: Type.String(),
  verified: Type.Boolean({ description: 'whether it opens sessions' }),
  preferred: Type.Boolean({ description: 'whether the platform writes to it' }),
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
const own = { tag: 'Sessions', access: 'authenticated' } as const

export const emailRoutes = (emails: UserEmails): Route[] => [
  route({
    ...own,
    method: 'get',
    path: `${PATH}s`,
    summary: "The addresses of the caller's user, the preferred one first.",
    responses: { 200: Type.Array(EmailRecord) },
    handler: async ({ user }) => reply(200, (await emails.list(user)).map(shownEmail)),
  }),
  route({
    ...own,
    method: 'post',
    path: PATH,
    summary: 'Add an address, with a session. A code is mailed to it; it counts once that is verified.',
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
    summary: 'Have the platform write to another verified address, with a session.',
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
    summary: 'Remove an address, with a session; the preferred one stays. It opens no session any more.',
    params: idParam,
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await emails.remove(user, params.id)
      return reply(204)
    },
  }),
]
