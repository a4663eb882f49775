import { Checkbox, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Feed } from '../feed.ts'
import { guardText } from '../guard-text.ts'
import { definitionOf, type FeedFields } from './definition-form.ts'
import type { Faults } from './field-faults.ts'

type Props = { value: FeedFields; faults: Faults; set: (given: Partial<FeedFields>) => void }

/** Which steps are held: numbers, and what they mean in words. */
export function GuardInputs({ value, faults, set }: Props) {
  const number = (name: 'loss' | 'gain' | 'from', label: string, bounds: { min: number; max?: number }) => (
    <NumberInput
      label={label}
      {...bounds}
      value={value[name]}
      error={faults[name]}
      onChange={(given) => set({ [name]: given === '' ? '' : Number(given) })}
    />
  )
  return (
    <Stack gap="xs">
      <Checkbox
        label="Hold changes that are too large"
        checked={value.guarded}
        onChange={(event) => set({ guarded: event.currentTarget.checked })}
      />
      {value.guarded && (
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {number('loss', 'May shrink by, % of the list', { min: 0, max: 100 })}
          {number('gain', 'May grow to, times the size', { min: 1 })}
          {number('from', 'Applies from, items', { min: 0, max: 10_000_000 })}
        </SimpleGrid>
      )}
      <Text size="sm" c="dimmed" data-testid="guard">
        {guardText(definitionOf(value).guard as Feed['guard'])}
      </Text>
    </Stack>
  )
}
