import { Checkbox, Group, MultiSelect, Stack, Text } from '@mantine/core'
import type { Problem } from '../../api/problem.ts'
import { useCaller } from '../../session/caller.ts'
import { groupName } from '../../session/group-name.ts'
import type { Claim } from './draft.ts'
import { faultAt } from './faults.ts'
import { ReputationField } from './ReputationField.tsx'
import { TagsField } from './TagsField.tsx'

type Props = {
  claim: Claim
  change: (claim: Claim) => void
  fault: Problem | null
  /** Names of what has a value; absent: entities are not made of attributes here. */
  attributes?: readonly string[]
}

/** The fields for the claim: its values, the groups that may read it, and the attributes that become entities too. */
export function ClaimFields({ claim, change, fault, attributes = [] }: Props) {
  const caller = useCaller()
  const set = (part: Partial<Claim>) => change({ ...claim, ...part })
  const others = attributes.slice(1)
  return (
    <Stack gap="sm">
      <ReputationField
        value={claim.reputation}
        change={(reputation) => set({ reputation })}
        error={faultAt(fault, 'reputation')}
      />
      <TagsField value={claim.tags} change={(tags) => set({ tags })} error={faultAt(fault, 'tags')} />
      <MultiSelect
        label="Visible to"
        description="Choose some of your groups. Without a choice, all of your groups can read the report."
        data={(caller?.groups ?? []).map((group) => ({ value: group, label: groupName(group, caller) }))}
        value={[...claim.visibleBy]}
        onChange={(visibleBy) => set({ visibleBy })}
        error={faultAt(fault, 'visibleBy')}
        data-param="visibleBy"
        maxValues={100}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear the groups' }}
      />
      {others.length > 0 && (
        <Checkbox.Group
          label="Attributes to add as entities"
          value={[...claim.correlate]}
          onChange={(correlate) => set({ correlate })}
          error={faultAt(fault, 'correlate')}
        >
          <Group gap="md" mt={4}>
            {others.map((name) => (
              <Checkbox key={name} value={name} label={name} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <Text size="sm" c="dimmed">
        You cannot set the accuracy. The platform computes it from the sources that report the same and from their
        trust.
      </Text>
    </Stack>
  )
}
