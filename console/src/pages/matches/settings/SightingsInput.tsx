import { Checkbox, Stack, Text } from '@mantine/core'
import { OwnGroups } from './OwnGroups.tsx'
import type { SettingsFaults, SettingsFields } from './settings-form.ts'

type Props = { value: SettingsFields; faults: SettingsFaults; set: (given: Partial<SettingsFields>) => void }

/** Whether others learn what was met. Off until somebody turns it on. */
export function SightingsInput({ value, faults, set }: Props) {
  return (
    <Stack gap="xs">
      <Checkbox
        label="Tell other groups what was met"
        checked={value.told}
        onChange={(event) => set({ told: event.currentTarget.checked })}
      />
      <Text size="sm" c="dimmed" data-testid="sightings">
        {value.told
          ? 'Members of these groups who read an entity already learn, once a day, that your telemetry met it; they learn no host, user, event or count.'
          : 'Nobody outside learns what your telemetry met.'}
      </Text>
      {value.told && (
        <OwnGroups
          label="Groups that are told"
          description="some of yours"
          value={value.toldGroups}
          fault={faults.toldGroups}
          change={(toldGroups) => set({ toldGroups })}
        />
      )}
    </Stack>
  )
}
