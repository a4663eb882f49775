import { Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { accuracyLabel } from '../../parts/entity/scores.ts'
import { WORK, WORK_WORDS } from './handling/states.ts'
import { ACCURACIES, HOURS, type TriageFilters } from './useFilters.ts'

const NAMES: Readonly<Record<(typeof HOURS)[number], string>> = {
  '1': 'Last hour',
  '6': 'Last 6 hours',
  '24': 'Last 24 hours',
  '72': 'Last 3 days',
  '168': 'Last 7 days',
  '720': 'Last 30 days',
}
const LONGEST = 200

type Props = {
  filters: TriageFilters
  types: readonly string[]
  /** Whether the caller notes anything of entities. */
  works: boolean
}

/** The filters of the list. The platform applies the first two; the page applies the others. */
export function Filters({ filters, types, works }: Props) {
  const { set } = filters
  const offered = filters.type === '' || types.includes(filters.type) ? types : [...types, filters.type]
  return (
    <Group gap="xs" align="end" component="search" aria-label="Filters">
      <NativeSelect
        label="Seen"
        size="xs"
        value={filters.hours}
        onChange={(event) => set.hours(event.currentTarget.value)}
        data={HOURS.map((value) => ({ value, label: NAMES[value] }))}
      />
      <SegmentedControl
        aria-label="Which entities"
        size="xs"
        value={filters.scope}
        onChange={set.scope}
        data={[
          { value: 'malicious', label: 'Malicious only' },
          { value: 'all', label: 'All' },
        ]}
      />
      {works && (
        <NativeSelect
          label="Work"
          size="xs"
          value={filters.work}
          onChange={(event) => set.work(event.currentTarget.value)}
          data={WORK.map((value) => ({ value, label: WORK_WORDS[value] }))}
        />
      )}
      <NativeSelect
        label="Type"
        size="xs"
        value={filters.type}
        onChange={(event) => set.type(event.currentTarget.value)}
        data={[{ value: '', label: 'Any type' }, ...offered.map((value) => ({ value, label: value }))]}
      />
      <NativeSelect
        label="Accuracy"
        size="xs"
        value={filters.accuracy}
        onChange={(event) => set.accuracy(event.currentTarget.value === '0' ? '' : event.currentTarget.value)}
        data={ACCURACIES.map((value) => ({
          value,
          label: value === '0' ? 'Any' : value === '3' ? 'High' : `${accuracyLabel(Number(value))} or more`,
        }))}
      />
      <TextInput
        label="Tag"
        size="xs"
        w={120}
        maxLength={LONGEST}
        value={filters.tag}
        onChange={(event) => set.tag(event.currentTarget.value)}
      />
      <TextInput
        label="Text"
        size="xs"
        w={160}
        maxLength={LONGEST}
        value={filters.text}
        onChange={(event) => set.text(event.currentTarget.value)}
      />
    </Group>
  )
}
