/** Routes of what an owner's telemetry meets (decisions 14.2). */

import { type Static, Type } from 'typebox'
import { ahead } from '../../../schemas/audit/action.ts'
import { SelectorBody } from '../../../schemas/intelligence/selectors/selector-schema.ts'
import { DEFAULT_RETENTION_DAYS, MAX_RETENTION_DAYS, type OwnerSettings } from '../../../schemas/match/settings.ts'
import { CLOSED } from '../../http/fields/common.ts'
import type { JsonObject } from '../../http/fields/json.ts'
import { readerGroups } from '../../http/fields/own-groups.ts'
import { type Route, reply, route } from '../../http/route.ts'
import { isDefault, type SettingsService } from '../services/settings-service.ts'
import { common, MATCH } from './common-routes.ts'

const sightings = Type.Union([Type.Object({ groups: readerGroups('groups that learn it') }, CLOSED), Type.Null()], {
  description:
    'groups that learn, once a day, that an entity was seen which they may already read; null: no group learns it',
})
const retentionDays = Type.Integer({
  minimum: 1,
  maximum: MAX_RETENTION_DAYS,
  default: DEFAULT_RETENTION_DAYS,
  description: 'days for which telemetry is kept and matched with later indicators',
})

const Settings = Type.Object(
  {
    selector: SelectorBody,
    groups: Type.Optional(
      readerGroups(
        'entities that all of these groups may read are looked for; members of the owner who are in all of these groups read the matches; default: `public` and the group of the customer, or all groups of a user without one',
      ),
    ),
    retentionDays: Type.Optional(retentionDays),
    sightings: Type.Optional(sightings),
  },
  CLOSED,
)

const SettingsAnswer = Type.Object({
  selector: SelectorBody,
  groups: Type.Array(Type.String(), { description: 'sorted' }),
  retentionDays,
  sightings,
  changedAt: Type.Optional(Type.String({ format: 'date-time', description: 'absent for default settings' })),
  default: Type.Optional(
    Type.Boolean({ description: 'true: the settings were never changed; these are the defaults' }),
  ),
})

const EXAMPLES: JsonObject = {
  selector: { types: ['ip', 'domain', 'url'], reputation: { lte: -1 }, accuracy: { gte: 1 }, wellKnown: false },
  groups: ['public'],
  retentionDays: 30,
  sightings: null,
  default: true,
}

export const settingsRoutes = (settings: SettingsService): Route[] => [
  route({
    ...common,
    method: 'get',
    path: `${MATCH}/settings`,
    id: 'getMatchSettings',
    summary: 'Get the match settings of the caller or of its customer: which entities telemetry is matched with.',
    codes: ['not_found'],
    examples: { words: EXAMPLES },
    responses: { 200: SettingsAnswer },
    handler: async ({ user }) => reply(200, showSettings(await settings.readable(user))),
  }),
  route({
    ...common,
    method: 'put',
    path: `${MATCH}/settings`,
    id: 'setMatchSettings',
    summary:
      'Set which entities telemetry is matched with. Matches that the new settings leave out are withdrawn; entities that they add are matched with the kept telemetry.',
    codes: ['not_found', 'conflict'],
    examples: { words: EXAMPLES },
    audit: ahead('telemetry.settings', null),
    body: Settings,
    responses: { 200: SettingsAnswer },
    handler: async ({ user, body }) => reply(200, showSettings(await settings.change(user, body))),
  }),
]

const showSettings = (settings: OwnerSettings) => ({
  selector: settings.selector as Static<typeof SelectorBody>,
  groups: [...settings.groups],
  retentionDays: settings.retentionDays,
  sightings: settings.sightings && { groups: [...settings.sightings.groups] },
  ...(isDefault(settings) ? { default: true } : { changedAt: new Date(settings.changedAt).toISOString() }),
})
