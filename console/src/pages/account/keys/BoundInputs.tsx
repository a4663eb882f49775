import { Checkbox, MultiSelect, SimpleGrid, Stack, Textarea } from '@mantine/core'
import type { Scope } from '../../../../../schemas/accounts/scopes.ts'
import { useCaller } from '../../../session/caller.ts'
import { groupName } from '../../../session/group-name.ts'
import { type BoundFields, SCOPE_WORDS } from './key-form.ts'
import type { Bounds } from './keys-api.ts'

type Props = {
  value: BoundFields
  /** What can be chosen. */
  scopes: readonly Scope[]
  groups: readonly string[]
  /** What is wrong, by field. */
  faults: { readonly [Field in keyof BoundFields]?: string | undefined }
  change: (value: Partial<BoundFields>) => void
  /** What the key is narrowed to already. */
  held?: Bounds
}

/** What a key pair may do, whose data it reads, and from where it may be used. */
export function BoundInputs({ value, scopes, groups, faults, change, held }: Props) {
  const caller = useCaller()
  return (
    <Stack gap="sm">
      <Checkbox.Group
        label="May do"
        description={
          held?.scopes ? 'What the key keeps.' : 'Without a choice, the key may do everything that you may do.'
        }
        value={value.scopes}
        onChange={(to) => change({ scopes: to as Scope[] })}
        error={faults.scopes}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" verticalSpacing="xs" mt="xs" mb={4}>
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={SCOPE_WORDS[scope].label}
              description={SCOPE_WORDS[scope].opens}
            />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <MultiSelect
        label="Groups"
        description={`The key reads data of these groups and reports for them.${held?.groups ? '' : ' Without a choice, all of your groups.'}`}
        data={groups.map((group) => ({ value: group, label: groupName(group, caller) }))}
        value={value.groups}
        onChange={(to) => change({ groups: to })}
        error={faults.groups}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear the groups' }}
      />
      <Textarea
        label="Networks"
        description={`From where the key may be used: one network or address a line${held?.networks ? ', inside of those that it has' : '. Empty: from anywhere'}.`}
        placeholder="192.0.2.0/24"
        value={value.networks}
        onChange={(event) => change({ networks: event.currentTarget.value })}
        error={faults.networks}
        autosize
        minRows={2}
        maxRows={8}
        autoComplete="off"
        spellCheck={false}
        maxLength={6_500}
      />
    </Stack>
  )
}
