/** What the form of the settings of matching says, and what it asks of the platform (decisions 14.2, 14.4). */

import { DEFAULT_RETENTION_DAYS } from '../../../../../schemas/match/settings.ts'
import type { paths } from '../../../api/schema.d.ts'
import { type FaultsOf, faultsOf } from '../../../parts/form/field-faults.ts'
import { SELECTOR_PARAMS } from '../../../parts/form/selector/selector-faults.ts'
import { fieldsOf, type SelectorFields, selectorOf } from '../../../parts/form/selector/selector-form.ts'

type SettingsRoute = paths['/api/match/v1/settings']
export type MatchSettings = SettingsRoute['get']['responses'][200]['content']['application/json']
export type SettingsBody = SettingsRoute['put']['requestBody']['content']['application/json']

export type SettingsFields = {
  selector: SelectorFields
  groups: string[]
  /** Days; empty: as by default. */
  retentionDays: number | ''
  told: boolean
  toldGroups: string[]
}

const PARAMS = {
  ...SELECTOR_PARAMS,
  groups: 'groups',
  retentionDays: 'retentionDays',
  toldGroups: 'sightings',
} as const

export type SettingsFaults = FaultsOf<typeof PARAMS>

/** The fields of the settings as they are. */
export const settingsFields = ({ selector, groups, retentionDays, sightings }: MatchSettings): SettingsFields => ({
  selector: fieldsOf(selector),
  groups: [...groups],
  retentionDays,
  told: sightings !== null,
  toldGroups: sightings === null ? [] : [...sightings.groups],
})

/** The whole settings: a PUT says all of them. */
export const settingsOf = ({ selector, groups, retentionDays, told, toldGroups }: SettingsFields): SettingsBody => ({
  selector: selectorOf(selector),
  groups,
  retentionDays: retentionDays === '' ? DEFAULT_RETENTION_DAYS : retentionDays,
  sightings: told ? { groups: toldGroups } : null,
})

/** What is missing before the platform is asked. */
export const lacks = ({ groups, told, toldGroups }: SettingsFields): SettingsFaults => ({
  ...(groups.length === 0 ? { groups: 'Choose at least one group.' } : {}),
  ...(told && toldGroups.length === 0 ? { toldGroups: 'Choose at least one group, or turn sharing off.' } : {}),
})

/** The field that a refusal is about, with the reason; empty for any other error. */
export const settingsFaults = (error: unknown): SettingsFaults => faultsOf(PARAMS, error)
