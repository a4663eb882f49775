import { MultiSelect } from '@mantine/core'
import { useCaller } from '../../session/caller.ts'
import { groupName } from '../../session/group-name.ts'

type Props = { groups: readonly string[]; chosen: string[]; choose: (groups: string[]) => void }

/** The field for the audience of a report or comment: some of the caller's groups. */
export function GroupsInput({ groups, chosen, choose }: Props) {
  const caller = useCaller()
  return (
    <MultiSelect
      label="Visible to"
      description={chosen.includes('public') ? 'Everyone, even without an account.' : 'Members of these groups.'}
      data={groups.map((group) => ({ value: group, label: groupName(group, caller) }))}
      value={chosen}
      onChange={choose}
      placeholder={chosen.length === 0 ? 'Choose at least one' : undefined}
      error={chosen.length === 0 ? 'Choose at least one group' : undefined}
      searchable={groups.length > 8}
      comboboxProps={{ withinPortal: true }}
      clearButtonProps={{ 'aria-label': 'Clear the groups' }}
    />
  )
}
