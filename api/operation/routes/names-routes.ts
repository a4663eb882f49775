/** What the ids in audit records, dead letters and breakers stand for, for administrators (ADR 276). */

import { Type } from 'typebox'
import type { Names } from '../../../connectors/postgres/operation/port.ts'
import { notAudited } from '../../../schemas/audit/action.ts'
import { SYSTEM_USER } from '../../../schemas/scans/scan.ts'
import { CLOSED } from '../../http/fields/common.ts'
import { BUILT_IN_ADMINISTRATOR } from '../../http/middleware/identity.ts'
import { type Route, reply, route } from '../../http/route.ts'

const MAX_IDS = 200

/** Who has no account. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  [BUILT_IN_ADMINISTRATOR.userId, 'Administrator'],
  [SYSTEM_USER, 'Harrier'],
])

const Named = Type.Object({
  id: Type.String(),
  kind: Type.Enum(['user', 'customer', 'key', 'feed']),
  name: Type.String({ description: 'of a user: the mail address' }),
})

const ACTOR = '7f1c2f5e-9a0b-4c57-8a55-3d1f0c2b6e11'

export const nameRoutes = (names: Names): Route[] => [
  route({
    method: 'post',
    path: '/api/admin/v1/names',
    id: 'nameIds',
    summary: 'Name users, customers, key pairs and published feeds by their ids. Deleted ones are left out.',
    examples: {
      body: { ids: [ACTOR] },
      answers: { 200: { names: [{ id: ACTOR, kind: 'user', name: 'ana@example.com' }] } },
    },
    audit: notAudited('names for ids that the reader has already: it changes nothing'),
    tag: 'Administration',
    access: 'auth_admin',
    scope: 'admin',
    body: Type.Object(
      { ids: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: MAX_IDS }) },
      CLOSED,
    ),
    responses: { 200: Type.Object({ names: Type.Array(Named) }) },
    handler: async ({ body: { ids } }) => {
      const found = [...(await names.of(ids))].map(([id, named]) => ({ id, ...named }))
      const builtIn = [...BUILT_IN].flatMap(([id, name]) =>
        ids.includes(id) ? [{ id, kind: 'user' as const, name }] : [],
      )
      return reply(200, { names: [...builtIn, ...found] })
    },
  }),
]
