import { Code, Group, Paper, ScrollArea, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Buckets } from './Buckets.tsx'
import type { AddClauses, AggregationResult } from './results.ts'

/** The aggregations of the results: charts with their tables, or numbers. */
export function Aggregations({ of, add }: { of: AggregationResult[]; add: AddClauses | undefined }) {
  if (of.length === 0) return null
  return (
    <SimpleGrid cols={{ base: 1, lg: of.length === 1 ? 1 : 2 }} spacing="sm" data-testid="aggregations">
      {of.map((one) => (
        <Paper key={one.name} withBorder p="sm" style={{ minWidth: 0 }} data-testid={`agg-${one.name}`}>
          <Stack gap="xs">
            <Group gap="xs" align="baseline">
              <Title order={3} size="h5" className="value" ff="text">
                {one.name}
              </Title>
              {one.is !== 'raw' && (
                <Text size="xs" c="dimmed">
                  {one.kind} {one.field}
                </Text>
              )}
            </Group>
            <AggregationContent of={one} add={add} />
          </Stack>
        </Paper>
      ))}
    </SimpleGrid>
  )
}

function AggregationContent({ of, add }: { of: AggregationResult; add: AddClauses | undefined }) {
  if (of.is === 'buckets') return <Buckets of={of} add={add} />
  if (of.is === 'numbers')
    return (
      <Group gap="lg">
        {of.numbers.map(([name, value]) => (
          <Stack key={name} gap={0}>
            <Text fz={of.numbers.length === 1 ? 32 : 20} fw={600} lh={1.2}>
              {value}
            </Text>
            {name !== '' && (
              <Text size="xs" c="dimmed">
                {name}
              </Text>
            )}
          </Stack>
        ))}
      </Group>
    )
  return (
    <ScrollArea.Autosize
      mah={300}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': `Result of ${of.name}` }}
    >
      <Code block>{of.json}</Code>
    </ScrollArea.Autosize>
  )
}
