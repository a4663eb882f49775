import { Badge, Checkbox, Group, Table, Text } from '@mantine/core'
import { EntityLink } from '../../parts/entity/EntityLink.tsx'
import { Accuracy } from '../../parts/entity/ScoreBadge.tsx'
import { RelativeTime } from '../../parts/time/RelativeTime.tsx'
import type { Item } from './feed.ts'
import type { Movements } from './handling/movements.ts'
import { type RowWork, Score, WorkTexts } from './handling/RowTexts.tsx'
import type { Mark } from './live-list.ts'
import classes from './triage.module.css'

const TAGS = 6

type Props = {
  items: readonly Item[]
  /** What was brought in last. */
  fresh: ReadonlySet<string>
  /** What was told of rows since they were brought in. */
  marks: ReadonlyMap<string, Mark>
  /** Reputations before the last movement. */
  moved: Movements
  /** What the team noted; null: the caller notes nothing. */
  work: RowWork | null
}

const MARK_WORDS: Readonly<Record<Mark, string>> = { changed: 'changed', gone: 'gone from this list' }

/** Entities, one line each; on narrow screens what is beside the value goes below it. */
export function FeedTable({ items, fresh, marks, moved, work }: Props) {
  return (
    <Table className={classes.table} verticalSpacing={4} horizontalSpacing={8} highlightOnHover aria-label="Entities">
      <Table.Thead>
        <Table.Tr>
          {work !== null && (
            <Table.Th w={36}>
              <Checkbox
                size="xs"
                aria-label="Select all listed entities"
                checked={work.selected.size > 0 && work.selected.size === items.length}
                indeterminate={work.selected.size > 0 && work.selected.size < items.length}
                onChange={work.chooseAll}
              />
            </Table.Th>
          )}
          <Table.Th w={116} visibleFrom="sm">
            Last seen
          </Table.Th>
          <Table.Th>Entity</Table.Th>
          <Table.Th w={164} visibleFrom="sm">
            Reputation
          </Table.Th>
          <Table.Th w={100} visibleFrom="md">
            Accuracy
          </Table.Th>
          <Table.Th w="26%" visibleFrom="md">
            Tags
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((item) => (
          <Table.Tr
            key={item.id}
            data-row={item.id}
            data-testid="row"
            data-mark={marks.get(item.id)}
            className={classes.row}
          >
            {work !== null && (
              <Table.Td>
                <Checkbox
                  size="xs"
                  aria-label={`Select ${item.value.slice(0, 80)}`}
                  checked={work.selected.has(item.id)}
                  onChange={(event) => work.choose(item.id, (event.nativeEvent as MouseEvent).shiftKey)}
                />
              </Table.Td>
            )}
            <Table.Td visibleFrom="sm" className={classes.quiet}>
              <RelativeTime at={item.last_seen} />
            </Table.Td>
            <Table.Td>
              <Group gap={6} wrap="nowrap" align="baseline">
                <Text span size="xs" c="dimmed" className={classes.type}>
                  {item.type}
                </Text>
                <span className={classes.entity} title={item.value}>
                  <EntityLink id={item.id} value={item.value} />
                </span>
                {fresh.has(item.id) && (
                  <Badge size="xs" variant="outline" flex="none">
                    new
                  </Badge>
                )}
                <RowMark of={marks.get(item.id)} />
              </Group>
              {work !== null && <WorkTexts item={item} work={work} />}
              <Group gap={8} hiddenFrom="sm" mt={2}>
                <Score item={item} from={moved.get(item.id)} />
                <Text span size="xs" c="dimmed">
                  <RelativeTime at={item.last_seen} />
                </Text>
              </Group>
              <Group gap={8} hiddenFrom="md" mt={2}>
                <Accuracy of={item.accuracy} />
                <Tags tags={item.tags} />
              </Group>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Score item={item} from={moved.get(item.id)} />
            </Table.Td>
            <Table.Td visibleFrom="md">
              <Accuracy of={item.accuracy} />
            </Table.Td>
            <Table.Td visibleFrom="md">
              <Tags tags={item.tags} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function RowMark({ of }: { of: Mark | undefined }) {
  if (of === undefined) return null
  return (
    <Badge
      size="xs"
      variant="outline"
      color={of === 'gone' ? 'gray' : 'blue'}
      c="var(--mantine-color-text)"
      flex="none"
    >
      {MARK_WORDS[of]}
    </Badge>
  )
}

function Tags({ tags }: { tags: readonly string[] }) {
  const more = tags.length - TAGS
  return (
    <Text span size="xs" className={classes.tags}>
      {tags.slice(0, TAGS).join(' · ')}
      {more > 0 && ` and ${more} more`}
    </Text>
  )
}
