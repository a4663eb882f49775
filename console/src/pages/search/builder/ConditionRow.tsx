import { ActionIcon, Group, Select, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { Index } from '../question/address.ts'
import { conditionFields } from '../question/fields.ts'
import { type Condition, isComplete, OPERATORS, type Operator, operatorsOf } from './model.ts'
import { ValueInput } from './ValueInput.tsx'

type Props = {
  row: Condition
  index: Index
  /** The message with which the platform refused the condition. */
  message: string | null
  change: (row: Condition) => void
  remove: () => void
}

/** One condition: a field, an operator and a value. */
export function ConditionRow({ row, index, message, change, remove }: Props) {
  const operators = operatorsOf(row.field, index)
  // Each operator can be negated.
  const ways = operators.flatMap((op) => [
    { value: op, label: OPERATORS[op] },
    { value: `not ${op}`, label: `not: ${OPERATORS[op]}` },
  ])
  const toField = (field: string) => {
    const possible = operatorsOf(field, index)
    // A complete row keeps its operator if the new field has that operator.
    const op = isComplete(row) && possible.includes(row.op) ? row.op : possible[0]!
    change({ ...row, field, op })
  }
  return (
    <Stack gap={2} data-testid="condition">
      <Group gap="xs" align="start" wrap="wrap">
        <Select
          size="xs"
          style={{ flex: '1 1 160px', maxWidth: 240 }}
          aria-label="Field"
          searchable
          comboboxProps={{ keepMounted: false }}
          allowDeselect={false}
          limit={80}
          maxDropdownHeight={320}
          data={conditionFields(index)}
          value={row.field}
          onChange={(field) => field && toField(field)}
        />
        <Select
          size="xs"
          style={{ flex: '1 1 130px', maxWidth: 190 }}
          aria-label="Operator"
          allowDeselect={false}
          maxDropdownHeight={420}
          data={ways}
          value={row.not ? `not ${row.op}` : row.op}
          onChange={(way) => {
            if (way === null) return
            const not = way.startsWith('not ')
            change({ ...row, not, op: (not ? way.slice(4) : way) as Operator })
          }}
        />
        <ValueInput row={row} index={index} change={change} />
        <ActionIcon variant="subtle" color="gray" size={30} onClick={remove} aria-label="Remove the condition">
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {message !== null && (
        <Text size="xs" fw={600} role="alert" data-testid="refused-row">
          Refused: {message}
        </Text>
      )}
      {message === null && !isComplete(row) && (
        <Text size="xs" c="dimmed">
          This condition has no value and is ignored.
        </Text>
      )}
    </Stack>
  )
}
