import { Group, Pagination, Text } from '@mantine/core'

type Props = { page: number; pages: number; items: number; change: (page: number) => void }

/** Pages of a list, one-based, with how much there is. */
export function Pager({ page, pages, items, change }: Props) {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed" data-testid="items">
        {items.toLocaleString('en')} {items === 1 ? 'item' : 'items'}
      </Text>
      {pages > 1 && (
        <Pagination
          value={page}
          onChange={change}
          total={pages}
          siblings={1}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(item) => ({ 'aria-label': `page ${item}` })}
        />
      )}
    </Group>
  )
}
