import { Button, Group, NumberInput, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { MAX_RETENTION_DAYS } from '../../../../../schemas/match/settings.ts'
import { client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { Preview } from '../../../parts/form/selector/Preview.tsx'
import { SelectorInputs } from '../../../parts/form/selector/SelectorInputs.tsx'
import { usePreview } from '../../../parts/form/selector/usePreview.ts'
import { useSend } from '../../../parts/form/useSend.ts'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { useCaller } from '../../../session/caller.ts'
import { groupNames } from '../../../session/group-name.ts'
import { OwnGroups } from './OwnGroups.tsx'
import { SightingsInput } from './SightingsInput.tsx'
import {
  lacks,
  type MatchSettings,
  type SettingsFields,
  settingsFaults,
  settingsFields,
  settingsOf,
} from './settings-form.ts'

/** The settings of matching, with how many entities they choose now. */
export function SettingsForm({ settings }: { settings: MatchSettings }) {
  const [fields, setFields] = useState(() => settingsFields(settings))
  const [saved, setSaved] = useState(false)
  const { error, sending, send, forget } = useSend()
  const refresh = useRefresh()
  const caller = useCaller()
  const body = settingsOf(fields)
  const preview = usePreview(body.selector, fields.groups)
  const missing = lacks(fields)
  const previewFaults = settingsFaults(preview.fault)
  const faults = { ...previewFaults, ...settingsFaults(error), ...missing }
  const set = (given: Partial<SettingsFields>): void => {
    setFields((now) => ({ ...now, ...given }))
    setSaved(false)
    forget()
  }

  async function store(): Promise<void> {
    const kept = (await client.PUT('/api/match/v1/settings', { body })).data!
    setFields(settingsFields(kept))
    setSaved(true)
    await refresh('/api/match/v1/settings', '/api/match/v1/matches')
  }

  const whose = caller?.customer ? 'the telemetry of your team' : 'your telemetry'
  const ready = Object.keys(missing).length === 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) void send(store)
      }}
    >
      <Stack gap="md">
        <Text size="sm" data-testid="changed">
          {settings.changedAt === undefined ? (
            'These settings were never changed: they are the defaults.'
          ) : (
            <>
              These settings apply to {whose}. They were changed <RelativeTime at={settings.changedAt} />.
            </>
          )}
        </Text>
        <Title order={2} size="h4">
          Indicators that are looked for
        </Title>
        <SelectorInputs value={fields.selector} faults={faults} change={(selector) => set({ selector })} />
        <Title order={2} size="h4">
          Readers
        </Title>
        <OwnGroups
          label="Groups"
          description="entities that all of these groups may read are looked for"
          value={fields.groups}
          fault={faults.groups}
          change={(groups) => set({ groups })}
        />
        <Text size="sm" data-testid="readers">
          {readersText(fields.groups, groupNames(fields.groups, caller), caller?.customer != null)}
        </Text>
        <Preview
          of={preview.query}
          reader={`a reader in ${groupNames(fields.groups, caller)}`}
          faulty={Object.keys(previewFaults).length > 0 || missing.groups !== undefined}
        />
        <NumberInput
          label="Telemetry is kept for, days"
          description="later indicators are matched with the kept telemetry"
          maw={280}
          min={1}
          max={MAX_RETENTION_DAYS}
          allowDecimal={false}
          value={fields.retentionDays}
          error={faults.retentionDays}
          onChange={(given) => set({ retentionDays: given === '' ? '' : Number(given) })}
        />
        <SightingsInput value={fields} faults={faults} set={set} />
        <Text size="sm" c="dimmed">
          Matches that the new settings leave out are withdrawn. Entities that they add are matched with the kept
          telemetry.
        </Text>
        {error !== null && <Refused error={error} />}
        <Group gap="sm">
          <Button type="submit" loading={sending} disabled={!ready}>
            Save
          </Button>
          {saved && (
            <Text size="sm" role="status" data-testid="saved">
              ✓ The settings are saved.
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** Who reads the matches, as a sentence. */
function readersText(groups: readonly string[], names: string, team: boolean): string {
  if (!team) return 'Only you read these matches.'
  const which = groups.length === 1 ? `who is in ${names}` : `who is in all of these groups: ${names}`
  return groups.length === 0
    ? 'No member reads the matches.'
    : `A member of your team ${which} reads the matches and these settings.`
}

/** What the platform refused: a marked field says it, or an alert does. */
function Refused({ error }: { error: unknown }) {
  if (Object.keys(settingsFaults(error)).length === 0) return <ErrorAlert error={error} />
  return (
    <Text size="sm" role="alert">
      The platform refused the settings. Correct the marked field.
    </Text>
  )
}
