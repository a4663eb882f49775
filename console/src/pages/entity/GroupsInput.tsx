import { MultiSelect } from '@mantine/core'

type Props = { groups: readonly string[]; chosen: string[]; choose: (groups: string[]) => void }

/** The field for the audience of a report or comment: some of the caller's groups. */
export function GroupsInput({ groups, chosen, choose }: Props) {
  return (
    <MultiSelect
      label="Visible to"
      description={chosen.includes('public') ? 'Everyone, even without an account.' : 'Members of these groups.'}
      data={[...groups]}
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
