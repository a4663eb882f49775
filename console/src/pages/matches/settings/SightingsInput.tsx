import { Checkbox, Stack, Text } from '@mantine/core'
import { OwnGroups } from './OwnGroups.tsx'
import type { SettingsFaults, SettingsFields } from './settings-form.ts'

type Props = { value: SettingsFields; faults: SettingsFaults; set: (given: Partial<SettingsFields>) => void }

/** Whether others learn what was met. Off until somebody turns it on. */
export function SightingsInput({ value, faults, set }: Props) {
  return (
    <Stack gap="xs">
      <Checkbox
        label="Share matches with other groups"
        checked={value.told}
        onChange={(event) => set({ told: event.currentTarget.checked })}
      />
      <Text size="sm" c="dimmed" data-testid="sightings">
        {value.told
          ? 'Members of these groups learn, once a day, that your telemetry matched an entity which they may already read. They learn no host, user, event or count.'
          : 'Only your team learns what your telemetry matched.'}
      </Text>
      {value.told && (
        <OwnGroups
          label="Groups that learn it"
          description="some of yours"
          value={value.toldGroups}
          fault={faults.toldGroups}
          change={(toldGroups) => set({ toldGroups })}
        />
      )}
    </Stack>
  )
}
