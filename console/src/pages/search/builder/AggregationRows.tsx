import { ActionIcon, Button, Group, NumberInput, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { Index } from '../question/address.ts'
import { aggregationFields } from '../question/fields.ts'
import type { Fault } from './model.ts'
import {
  AGGREGATIONS,
  type Aggregation,
  type AggregationKind,
  fieldKindsOf,
  makesBuckets,
  newAggregation,
} from './model.ts'

const MAX_DEPTH = 2
const MAX_COUNTS = 20
const INTERVALS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year', '5m', '15m', '6h', '12h', '7d', '30d']

type Props = {
  aggregations: Aggregation[]
  index: Index
  depth: number
  fault: Fault
  change: (aggregations: Aggregation[]) => void
}

/** The aggregations of the search; aggregations can nest in buckets. */
export function AggregationRows({ aggregations, index, depth, fault, change }: Props) {
  const put = (id: number, to: Aggregation | null) =>
    change(aggregations.flatMap((aggregation) => (aggregation.id !== id ? [aggregation] : to === null ? [] : [to])))
  const add = () => {
    const kind: AggregationKind = depth === 0 ? (aggregations.length === 0 ? 'terms' : 'date_histogram') : 'avg'
    const field = kind === 'terms' ? 'type' : kind === 'avg' ? 'reputation' : 'lastSeen'
    change([...aggregations, newAggregation({ kind, field, name: unusedName(nameFor(kind, field), aggregations) })])
  }
  return (
    <Stack gap="xs">
      {aggregations.map((aggregation, position) => (
        <AggregationRow
          key={aggregation.id}
          aggregation={aggregation}
          index={index}
          depth={depth}
          fault={fault}
          taken={aggregations.slice(0, position).some(({ name }) => name === aggregation.name)}
          others={aggregations.filter(({ id }) => id !== aggregation.id)}
          change={(to) => put(aggregation.id, to)}
        />
      ))}
      <Group>
        <Button
          size="compact-xs"
          variant="light"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={aggregations.length >= MAX_COUNTS}
          onClick={add}
        >
          {depth === 0 ? 'Aggregation' : 'In each bucket'}
        </Button>
      </Group>
    </Stack>
  )
}

type RowProps = {
  aggregation: Aggregation
  index: Index
  depth: number
  fault: Fault
  taken: boolean
  others: Aggregation[]
  change: (to: Aggregation | null) => void
}

function AggregationRow({ aggregation, index, depth, fault, taken, others, change }: RowProps) {
  const { kind, field, name } = aggregation
  // A name that the user did not type follows the field and the kind.
  const put = (to: Partial<Aggregation>) => {
    const next = { ...aggregation, ...to }
    const own = name.replace(/_\d+$/, '') !== nameFor(kind, field)
    change(own ? next : { ...next, name: unusedName(nameFor(next.kind, next.field), others) })
  }
  const toKind = (to: AggregationKind) => {
    const fits = aggregationFields(index, fieldKindsOf(to)).some(({ items }) => items.includes(field))
    const fallback = to === 'date_histogram' ? 'lastSeen' : 'reputation'
    put({ kind: to, field: fits ? field : fallback, interval: to === 'histogram' ? '1' : 'day' })
  }
  return (
    <Paper withBorder p="xs" data-testid="aggregation">
      <Stack gap="xs">
        <Group gap="xs" align="start">
          <Select
            size="xs"
            style={{ flex: '1 1 150px', maxWidth: 190 }}
            aria-label="Kind of aggregation"
            allowDeselect={false}
            maxDropdownHeight={360}
            data={Object.entries(AGGREGATIONS).map(([value, label]) => ({ value, label }))}
            value={kind}
            onChange={(to) => to && toKind(to as AggregationKind)}
          />
          <Select
            size="xs"
            style={{ flex: '1 1 150px', maxWidth: 240 }}
            aria-label="Field of the aggregation"
            searchable
            comboboxProps={{ keepMounted: false }}
            limit={80}
            allowDeselect={false}
            data={aggregationFields(index, fieldKindsOf(kind))}
            value={field}
            onChange={(to) => to && put({ field: to })}
          />
          {kind === 'terms' && (
            <NumberInput
              size="xs"
              w={80}
              aria-label="Maximum number of values"
              min={1}
              max={1_000}
              allowDecimal={false}
              value={aggregation.size}
              onChange={(size) => put({ size: Number(size) || 10 })}
            />
          )}
          {kind === 'date_histogram' && (
            <Select
              size="xs"
              w={100}
              aria-label="Interval"
              allowDeselect={false}
              data={INTERVALS.includes(aggregation.interval) ? INTERVALS : [...INTERVALS, aggregation.interval]}
              value={aggregation.interval}
              onChange={(interval) => interval && put({ interval })}
            />
          )}
          {kind === 'histogram' && (
            <NumberInput
              size="xs"
              w={90}
              aria-label="Bucket width"
              min={0.001}
              value={Number(aggregation.interval)}
              onChange={(interval) => put({ interval: String(Number(interval) || 1) })}
            />
          )}
          <TextInput
            size="xs"
            style={{ flex: '1 1 110px', maxWidth: 180 }}
            aria-label="Name of the aggregation"
            value={name}
            maxLength={128}
            error={
              taken
                ? 'Name already in use'
                : /[[\]>]/.test(name)
                  ? 'Do not use [ ] or >'
                  : name === '' && 'Enter a name'
            }
            onChange={(event) => change({ ...aggregation, name: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            onClick={() => change(null)}
            aria-label="Remove the aggregation"
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
        {fault?.row === aggregation.id && (
          <Text size="xs" fw={600} role="alert">
            Refused: {fault.message}
          </Text>
        )}
        {makesBuckets(kind) && depth < MAX_DEPTH && (
          <AggregationRows
            aggregations={aggregation.inside}
            index={index}
            depth={depth + 1}
            fault={fault}
            change={(inside) => change({ ...aggregation, inside })}
          />
        )}
      </Stack>
    </Paper>
  )
}

const nameFor = (kind: AggregationKind, field: string): string =>
  `${kind === 'terms' ? 'by' : kind === 'date_histogram' || kind === 'histogram' ? 'over' : kind}_${field.replace(/^attributes\.|@/g, '')}`

function unusedName(name: string, aggregations: readonly Aggregation[]): string {
  for (let i = 1; ; i++) {
    const tried = i === 1 ? name : `${name}_${i}`
    if (!aggregations.some((aggregation) => aggregation.name === tried)) return tried
  }
}
