/** Settings of owners of telemetry: who reads and changes them, and what holds until somebody does (decisions 14.2). */

import type { MatchSettingsTable } from '../../../connectors/operations/match-settings/port.ts'
import { customerGroup, type Identity } from '../../../schemas/accounts/accounts.ts'
import { ownerOf } from '../../../schemas/feeds-out/rights.ts'
import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import { readSelector } from '../../../schemas/intelligence/selectors/read.ts'
import { writeSettings } from '../../../schemas/match/read-settings.ts'
import {
  DEFAULT_RETENTION_DAYS,
  DEFAULT_REVISION,
  DEFAULT_SELECTOR,
  type MatchSettings,
  type OwnerSettings,
  ownerKey,
} from '../../../schemas/match/settings.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { ownGroups } from '../../http/fields/own-groups.ts'

export type SettingsPorts = { matchSettings: MatchSettingsTable; now: () => number }

export type SettingsBody = {
  selector: unknown
  groups?: string[]
  retentionDays?: number
  sightings?: { groups: string[] } | null
}

/** With what a record of the log holds beside its value, below the million bytes that every broker takes. */
const MAX_BYTES = 1_000_000
/** Changes of the same settings at the same moment, by others, that one change goes over. */
const ATTEMPTS = 5

export function settingsService({ matchSettings: table, now }: SettingsPorts) {
  /** As every process has them now. */
  async function current(user: Identity): Promise<OwnerSettings> {
    await table.refresh()
    return table.get(ownerKey(ownerOf(user))) ?? defaultSettings(user)
  }

  return {
    /**
     * The settings of the caller's owner, by which it may read what was matched; those by default while nobody chose.
     * Throws 404 when it is not in all of their groups.
     */
    async readable(user: Identity): Promise<OwnerSettings> {
      return checked(user, await current(user))
    },

    /**
     * Throws 400 that names what is wrong, 403 for groups of others, 404 when the caller is not in all groups of the
     * present settings, 409 while others change them all the time.
     */
    async change(user: Identity, body: SettingsBody): Promise<OwnerSettings> {
      const chosen = chosenSettings(user, body)
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const { owner, revision } = checked(user, await current(user))
        const next: OwnerSettings = { ...chosen, owner, revision: revision + 1, changedAt: now() }
        const bytes = writeSettings(next)
        if (bytes.length > MAX_BYTES)
          throw invalid('selector', 'is too large: with the rest of the settings it takes more than 1,000,000 bytes')
        await table.put(next)
        const held = table.get(owner)
        if (held !== undefined && writeSettings(held).equals(bytes)) return held
      }
      throw new ApiError('conflict', { message: 'others are changing the settings; try again' })
    },

    /** The settings that events of the caller come under. Stored, so that the job that matches knows the owner. */
    async ofSender(user: Identity): Promise<OwnerSettings> {
      await table.refresh()
      const owner = ownerKey(ownerOf(user))
      const known = table.get(owner)
      if (known !== undefined) return known
      const settings = { ...defaultSettings(user), changedAt: now() }
      await table.put(settings)
      return table.get(owner) ?? settings
    },
  }
}

export type SettingsService = ReturnType<typeof settingsService>

/** Whether nobody has chosen them. */
export const isDefault = ({ revision }: OwnerSettings): boolean => revision === DEFAULT_REVISION

const defaultSettings = (user: Identity): OwnerSettings => ({
  owner: ownerKey(ownerOf(user)),
  revision: DEFAULT_REVISION,
  changedAt: 0,
  selector: DEFAULT_SELECTOR,
  groups: defaultGroups(user),
  retentionDays: DEFAULT_RETENTION_DAYS,
  sightings: null,
})

/** Of a customer what all of its members read; of a user without one all that it reads. */
const defaultGroups = ({ customerId, groups }: Identity): string[] =>
  [...(customerId === null ? groups : [PUBLIC, customerGroup(customerId)])].sort()

/** The caller is of the owner; a stranger to one group learns no more than that there is nothing. */
function checked(user: Identity, settings: OwnerSettings): OwnerSettings {
  if (settings.groups.every((group) => user.groups.includes(group))) return settings
  throw new ApiError('not_found', { message: 'no match settings that the caller may read' })
}

function chosenSettings(user: Identity, { selector, groups, retentionDays, sightings }: SettingsBody): MatchSettings {
  const read = readSelector(selector)
  if (!read.ok) throw invalid(read.param, read.message)
  const told = sightings ?? null
  return {
    selector: read.selector,
    groups: groups === undefined ? defaultGroups(user) : ownGroups(user.groups, groups),
    retentionDays: retentionDays ?? DEFAULT_RETENTION_DAYS,
    sightings: told && { groups: ownGroups(user.groups, told.groups, 'sightings.groups') },
  }
}
