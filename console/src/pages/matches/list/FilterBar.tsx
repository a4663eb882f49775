import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { DIRECTION_WORDS, DIRECTIONS } from '../../../parts/match/match.ts'
import { ANY, type Filters, PERIOD_NAMES, PERIODS } from './useFilters.ts'

type Props = { filters: Filters; reading: boolean; again: () => void }

/** Which matches are shown. All of it is in the address. */
export function FilterBar({ filters, reading, again }: Props) {
  return (
    <Group gap="sm" align="end" component="search" aria-label="Filters">
      <NativeSelect
        label="Direction"
        size="xs"
        value={filters.direction ?? ANY}
        onChange={(event) => filters.setDirection(event.currentTarget.value)}
        data={[
          { value: ANY, label: 'both' },
          ...DIRECTIONS.map((value) => ({ value, label: DIRECTION_WORDS[value].label })),
        ]}
      />
      <NativeSelect
        label="Matched"
        size="xs"
        value={filters.since}
        onChange={(event) => filters.setSince(event.currentTarget.value)}
        data={PERIOD_NAMES.map((value) => ({ value, label: PERIODS[value].label }))}
      />
      <EntityFilter of={filters.entity ?? ''} change={filters.setEntity} />
      <Checkbox
        label="Withdrawn too"
        mb={6}
        checked={filters.withdrawn}
        onChange={(event) => filters.setWithdrawn(event.currentTarget.checked)}
      />
      <Button size="xs" variant="default" loading={reading} onClick={again}>
        Refresh
      </Button>
    </Group>
  )
}

/** The id of one entity, which is asked for when it is whole: on Enter, or when the field is left. */
function EntityFilter({ of, change }: { of: string; change: (to: string) => void }) {
  const [text, setText] = useState(of)
  useEffect(() => setText(of), [of])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change(text)
      }}
    >
      <TextInput
        label="Indicator, by its id"
        size="xs"
        w={220}
        placeholder="any"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => text.trim() !== of && change(text)}
      />
    </form>
  )
}
