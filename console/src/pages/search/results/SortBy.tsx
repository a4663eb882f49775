import { ActionIcon, Group, Select } from '@mantine/core'
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import type { Go, SearchAddress } from '../question/address.ts'
import { sortFields } from '../question/fields.ts'

/** The field and direction that sort the results. */
export function SortBy({ address: { index, sort, order }, go }: { address: SearchAddress; go: Go }) {
  const Icon = order === 'asc' ? IconSortAscending : IconSortDescending
  const turned = order === 'asc' ? 'desc' : 'asc'
  return (
    <Group gap={4} wrap="nowrap">
      <Select
        size="xs"
        w={170}
        aria-label="Sort by"
        searchable
        comboboxProps={{ keepMounted: false }}
        limit={60}
        allowDeselect={false}
        data={sortFields(index)}
        value={sort}
        onChange={(to) => to && to !== sort && go({ sort: to })}
        maxDropdownHeight={320}
      />
      <ActionIcon
        variant="default"
        size={30}
        onClick={() => go({ order: turned })}
        aria-label={order === 'asc' ? 'Ascending; switch to descending' : 'Descending; switch to ascending'}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}
