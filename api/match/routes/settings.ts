/** Routes of what an owner's telemetry meets (decisions-2 14.2). */

import { type Static, Type } from 'typebox'
import { SelectorBody } from '../../../schemas/intelligence/selectors/schema.ts'
import { DEFAULT_RETENTION_DAYS, MAX_RETENTION_DAYS, type OwnerSettings } from '../../../schemas/match/settings.ts'
import { CLOSED } from '../../http/fields/common.ts'
import { readerGroups } from '../../http/fields/own-groups.ts'
import { type Route, reply, route } from '../../http/route.ts'
import { isDefault, type SettingsService } from '../services/settings.ts'
import { common, MATCH } from './common.ts'

const sightings = Type.Union([Type.Object({ groups: readerGroups('who is told') }, CLOSED), Type.Null()], {
  description:
    'groups that are told, once a day, that an entity which they read already was seen; null: nobody is told',
})
const retentionDays = Type.Integer({
  minimum: 1,
  maximum: MAX_RETENTION_DAYS,
  default: DEFAULT_RETENTION_DAYS,
  description: 'days for which telemetry is kept, and meets indicators that come later',
})

const Settings = Type.Object(
  {
    selector: SelectorBody,
    groups: Type.Optional(
      readerGroups(
        'what they all read is looked for, and whoever of the owner is in all of them reads the matches; default: `public` and the group of the customer, or all groups of a user without one',
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
  changedAt: Type.Optional(Type.String({ format: 'date-time', description: 'absent while nobody chose' })),
  default: Type.Optional(Type.Boolean({ description: 'true: nobody chose, and this is what holds' })),
})

export const settingsRoutes = (settings: SettingsService): Route[] => [
  route({
    ...common,
    method: 'get',
    path: `${MATCH}/settings`,
    summary: 'Get what the telemetry of the caller, or of its customer, is matched with.',
    responses: { 200: SettingsAnswer },
    handler: async ({ user }) => reply(200, showSettings(await settings.readable(user))),
  }),
  route({
    ...common,
    method: 'put',
    path: `${MATCH}/settings`,
    summary:
      'Choose what telemetry is matched with. What the settings leave out is withdrawn; what they take in meets what was seen before.',
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
