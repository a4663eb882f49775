import { MultiSelect } from '@mantine/core'
import { useCaller } from '../../../session/caller.ts'
import { groupName } from '../../../session/group-name.ts'

type Props = {
  label: string
  description: string
  value: string[]
  fault: string | undefined
  change: (groups: string[]) => void
}

/** Some of the caller's groups. Those that are chosen already stay on the list. */
export function OwnGroups({ label, description, value, fault, change }: Props) {
  const caller = useCaller()
  const known = [...new Set([...(caller?.groups ?? []), ...value])]
  return (
    <MultiSelect
      label={label}
      description={description}
      maw={560}
      value={value}
      onChange={change}
      error={fault}
      data={known.map((group) => ({ value: group, label: groupName(group, caller) }))}
    />
  )
}
