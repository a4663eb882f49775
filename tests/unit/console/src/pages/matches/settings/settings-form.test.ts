import { expect, test } from 'vitest'
import { Problem } from '../../../../../../../console/src/api/problem.ts'
import {
  lacks,
  type MatchSettings,
  settingsFaults,
  settingsFields,
  settingsOf,
} from '../../../../../../../console/src/pages/matches/settings/settings-form.ts'

const settings: MatchSettings = {
  selector: { types: ['ip'], reputation: { lte: -1 }, wellKnown: false },
  groups: ['blue', 'public'],
  retentionDays: 14,
  sightings: { groups: ['red'] },
}

test('the form begins with the settings as they are, and says all of them', () => {
  expect(settingsOf(settingsFields(settings))).toEqual(settings)
  const quiet = { ...settings, sightings: null }
  expect(settingsOf(settingsFields(quiet))).toEqual(quiet)
})

test('nobody is told once the box is off, and empty days are those by default', () => {
  const fields = { ...settingsFields(settings), told: false, retentionDays: '' as const }
  expect(settingsOf(fields)).toMatchObject({ sightings: null, retentionDays: 30 })
})

test('groups that are missing are said at their field', () => {
  const fields = settingsFields(settings)
  expect(lacks(fields)).toEqual({})
  expect(Object.keys(lacks({ ...fields, groups: [] }))).toEqual(['groups'])
  expect(Object.keys(lacks({ ...fields, toldGroups: [] }))).toEqual(['toldGroups'])
  expect(lacks({ ...fields, told: false, toldGroups: [] })).toEqual({})
})

test('a refusal stands at the part that is wrong', () => {
  const refusal = (param: string, status = 400) => settingsFaults(new Problem(`${param}: is wrong`, { status, param }))
  expect(refusal('selector.cidr[1]')).toEqual({ cidr: 'entry 2: is wrong' })
  expect(refusal('retentionDays')).toEqual({ retentionDays: 'is wrong' })
  expect(refusal('groups', 403)).toEqual({ groups: 'is wrong' })
  expect(refusal('sightings.groups', 403)).toEqual({ toldGroups: 'is wrong' })
  expect(refusal('selector', 500)).toEqual({})
  expect(settingsFaults(null)).toEqual({})
})
