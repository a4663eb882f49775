import { ActionIcon, Button, Group, Paper, Select, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { Index } from '../question/address.ts'
import { ConditionRow } from './ConditionRow.tsx'
import type { Fault } from './model.ts'
import { type BuilderRow, type ConditionGroup as Conditions, isGroup, JOINS, newCondition, newGroup } from './model.ts'

const MAX_DEPTH = 4
const MAX_ROWS = 100

type Props = {
  group: Conditions
  index: Index
  depth: number
  fault: Fault
  change: (group: Conditions) => void
  remove?: () => void
}

/** Conditions that hold together, any or none of them; groups stand inside of each other. */
export function GroupRows({ group, index, depth, fault, change, remove }: Props) {
  const { rows } = group
  const put = (id: number, to: BuilderRow | null) =>
    change({ ...group, rows: rows.flatMap((row) => (row.id !== id ? [row] : to === null ? [] : [to])) })
  const add = (row: BuilderRow) => change({ ...group, rows: [...rows, row] })
  return (
    <Paper withBorder p="xs" component="fieldset" m={0} style={{ minWidth: 0 }}>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap">
          <Select
            size="xs"
            w={110}
            aria-label={depth === 0 ? 'Conditions that must hold' : 'Conditions of the group that must hold'}
            allowDeselect={false}
            data={Object.entries(JOINS).map(([value, label]) => ({ value, label }))}
            value={group.join}
            onChange={(join) => change({ ...group, join: join as Conditions['join'] })}
          />
          <Text size="xs" c="dimmed">
            {rows.length === 0 ? 'No conditions: every record matches' : 'these conditions match'}
          </Text>
          {remove && (
            <ActionIcon variant="subtle" color="gray" ml="auto" onClick={remove} aria-label="Remove the group">
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
        {rows.map((row) =>
          isGroup(row) ? (
            <GroupRows
              key={row.id}
              group={row}
              index={index}
              depth={depth + 1}
              fault={fault}
              change={(to) => put(row.id, to)}
              remove={() => put(row.id, null)}
            />
          ) : (
            <ConditionRow
              key={row.id}
              row={row}
              index={index}
              message={fault?.row === row.id ? fault.message : null}
              change={(to) => put(row.id, to)}
              remove={() => put(row.id, null)}
            />
          ),
        )}
        <Group gap="xs">
          <Button
            size="compact-xs"
            variant="light"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={rows.length >= MAX_ROWS}
            onClick={() => add(newCondition())}
          >
            Condition
          </Button>
          {depth < MAX_DEPTH && (
            <Button
              size="compact-xs"
              variant="light"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={rows.length >= MAX_ROWS}
              onClick={() => add(newGroup(group.join === 'any' ? 'all' : 'any', [newCondition()]))}
            >
              Group
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}
