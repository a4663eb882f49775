import { Checkbox, Group, MultiSelect } from '@mantine/core'
import { useCaller, useMay } from '../../../session/caller.ts'
import { groupName } from '../../../session/group-name.ts'
import type { Faults } from './field-faults.ts'

export type ReaderFields = { groups: string[]; open: boolean }

type Props = { value: ReaderFields; faults: Faults; change: (value: ReaderFields) => void }

/** Who a new feed is for: somebody in all of these groups, or everybody. */
export function ReaderInputs({ value, faults, change }: Props) {
  const caller = useCaller()
  const trusted = useMay('trusted')
  return (
    <Group align="end" gap="md">
      <MultiSelect
        label="Readers"
        description="a reader is in all of these groups; empty: all of yours"
        value={value.groups}
        onChange={(groups) => change({ ...value, groups })}
        disabled={value.open}
        error={faults.groups}
        data={(caller?.groups ?? []).map((group) => ({ value: group, label: groupName(group, caller) }))}
        style={{ flex: '1 1 260px' }}
      />
      {trusted && (
        <Checkbox
          label="Everybody may read it, without credentials"
          checked={value.open}
          error={faults.open}
          onChange={(event) => change({ ...value, open: event.currentTarget.checked })}
        />
      )}
    </Group>
  )
}
