/** What the team of the caller did about entities (ADR 239). */

import { Type } from 'typebox'
import { change, notAudited, SEARCH } from '../../../schemas/audit/action.ts'
import { MAX_ASKED, MAX_CHANGED, MAX_TRIAGE_NOTE } from '../../../schemas/casework/triage.ts'
import { CLOSED, entityId, uuid } from '../../http/fields/common.ts'
import { IP_ID } from '../../http/fields/examples.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { NamedTriageState, TriageService } from '../services/triage-service.ts'
import { CASEWORK, iso, lines, moment } from './casework-shapes.ts'

const reputation = Type.Integer({ minimum: -3, maximum: 3 })

const Person = Type.Object({
  userID: uuid,
  name: Type.Union([Type.String(), Type.Null()], { description: 'null: without a name, or no longer a member' }),
})

const State = Type.Object({
  entityID: entityId,
  handled: Type.Union([Type.Object({ at: moment, by: Person, reputation }), Type.Null()], {
    description:
      'null: open. `reputation`: the value that was handled; with a worse value the entity counts as open again',
  }),
  assignee: Type.Union([Person, Type.Null()]),
  note: Type.String(),
  updatedAt: moment,
})

const States = Type.Object({
  items: Type.Array(State, { description: 'entities without triage data are left out' }),
})

const Change = Type.Object(
  {
    entities: Type.Array(
      Type.Object(
        {
          id: entityId,
          reputation: Type.Integer({ minimum: -3, maximum: 3, description: 'reputation that the caller was shown' }),
        },
        CLOSED,
      ),
      { minItems: 1, maxItems: MAX_CHANGED },
    ),
    handled: Type.Optional(Type.Boolean({ description: 'true: handled. false: open' })),
    assignee: Type.Optional(
      Type.Union([uuid, Type.Null()], { description: 'a member of the team; null: not assigned' }),
    ),
    note: Type.Optional(lines(0, MAX_TRIAGE_NOTE)),
  },
  { ...CLOSED, minProperties: 2, description: 'fields that are not given stay unchanged' },
)

const Question = Type.Object({ ids: Type.Array(entityId, { minItems: 1, maxItems: MAX_ASKED }) }, CLOSED)

const show = ({ entityId: id, handled, assignee, note, updatedAt }: NamedTriageState) => ({
  entityID: id,
  handled: handled && { ...handled, at: iso(handled.at) },
  assignee,
  note,
  updatedAt: iso(updatedAt),
})

const TRIAGE = { reputation: -2, name: 'ana', note: 'Blocked at the gateway.' }

const common = { tag: 'Casework', access: 'user', scope: 'casework' } as const

export const triageRoutes = (triage: TriageService): Route[] => [
  route({
    ...common,
    method: 'post',
    path: `${CASEWORK}/triage`,
    id: 'changeTriage',
    summary:
      'Mark entities as handled or open, assign them or add a note, for the whole team. Kept for 90 days after the last change, at most 10,000 entities.',
    examples: {
      words: TRIAGE,
      body: { entities: [{ id: IP_ID, reputation: -2 }], handled: true, note: 'Blocked at the gateway.' },
    },
    audit: change('triage.change', 'casework_triage', null),
    body: Change,
    responses: { 200: States },
    handler: async ({ user, body: { entities, ...change } }) =>
      reply(200, { items: (await triage.change(user, entities, change)).map(show) }),
  }),
  route({
    ...common,
    method: 'post',
    path: `${CASEWORK}/triage/states`,
    id: 'getTriage',
    summary: 'Get the triage states of entities: handled, assignee and note.',
    examples: { words: TRIAGE, body: { ids: [IP_ID] } },
    audit: notAudited(SEARCH),
    body: Question,
    responses: { 200: States },
    handler: async ({ user, body: { ids } }) => reply(200, { items: (await triage.states(user, ids)).map(show) }),
  }),
  route({
    ...common,
    method: 'get',
    path: `${CASEWORK}/triage/members`,
    id: 'listTriageMembers',
    summary: 'List the users to whom entities may be assigned: the members of the team, or only the caller.',
    examples: { words: { name: 'ana' } },
    responses: { 200: Type.Object({ members: Type.Array(Person) }) },
    handler: async ({ user }) => reply(200, { members: await triage.members(user) }),
  }),
]
