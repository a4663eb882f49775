import { Badge, Button, List, NumberInput, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { api, client } from '../../api/client.ts'
import { useRefresh } from '../../api/refresh.ts'
import type { paths } from '../../api/schema.d.ts'
import { Confirm } from '../../parts/feedback/Confirm.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { withName } from '../../parts/format/ids.ts'
import { useNames } from '../../parts/format/useNames.ts'
import { ScrollTable } from '../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../parts/time/RelativeTime.tsx'

type Breaker =
  paths['/api/admin/v1/breakers']['get']['responses'][200]['content']['application/json']['breakers'][number]

const EVERY_MS = 5_000
const MAX_ALLOWED = 1_000_000

/** The breaker of every consumer group, why it opened, and closing it. */
export default function Breakers() {
  const result = api.useQuery('get', '/api/admin/v1/breakers', {}, { refetchInterval: EVERY_MS })
  const names = useNames(result.data?.breakers.map(({ source }) => source) ?? [])
  const [closing, setClosing] = useState<Breaker | null>(null)
  return (
    <QueryResult of={result}>
      {({ breakers }) => (
        <>
          <Text size="sm" role="status">
            {summaryOf(breakers)}
          </Text>
          <ScrollTable
            label="Breakers"
            minWidth={640}
            columns={['Group', ['State', 110], 'Reason', ['Since', 150], ['', 110]]}
          >
            {breakers.map((breaker) => (
              <Table.Tr key={nameOf(breaker)} data-testid="breaker">
                <Table.Th scope="row" fw={500} title={breaker.source ?? undefined}>
                  {withName(nameOf(breaker), names)}
                </Table.Th>
                <Table.Td>
                  <Badge
                    variant="outline"
                    color={breaker.open ? (breaker.source === null ? 'red' : 'yellow') : 'teal'}
                    c="var(--mantine-color-text)"
                    tt="none"
                  >
                    {breaker.open ? (breaker.source === null ? '✗ open' : '▲ isolated') : '● closed'}
                  </Badge>
                </Table.Td>
                <Table.Td>
                  <BreakerReason of={breaker} />
                </Table.Td>
                <Table.Td>{breaker.at === undefined ? 'always' : <RelativeTime at={breaker.at} />}</Table.Td>
                <Table.Td>
                  {breaker.open && (
                    <Button
                      size="compact-sm"
                      onClick={() => setClosing(breaker)}
                      aria-label={`Close the breaker of ${withName(nameOf(breaker), names)}`}
                    >
                      Close
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </ScrollTable>
          {closing !== null && (
            <CloseBreaker of={closing} name={withName(nameOf(closing), names)} close={() => setClosing(null)} />
          )}
        </>
      )}
    </QueryResult>
  )
}

const nameOf = ({ group, source }: Breaker): string => (source === null ? group : `${source} in ${group}`)

function summaryOf(breakers: readonly Breaker[]): string {
  const open = breakers.filter((breaker) => breaker.open && breaker.source === null).length
  const alone = breakers.filter((breaker) => breaker.open && breaker.source !== null).length
  const groups =
    open === 0
      ? 'All breakers are closed. Every consumer is running.'
      : `${open} ${open === 1 ? 'breaker is' : 'breakers are'} open. The records of those consumers wait in their topics, in order.`
  if (alone === 0) return groups
  return `${groups} ${alone} ${alone === 1 ? 'source is' : 'sources are'} isolated: records that cannot be processed become dead letters.`
}

function BreakerReason({ of: { open, topic, ratio, run, reasons = [], allow = 0 } }: { of: Breaker }) {
  if (!open) return <Text size="sm">{allow > 0 ? `The next ${allow} failed records are ignored` : '—'}</Text>
  return (
    <Stack gap={2}>
      <Text size="sm">
        {topic}: {run} failed in a row, {((ratio ?? 0) * 100).toFixed(1)} % of the latest records
      </Text>
      <List size="xs">
        {reasons.map((reason) => (
          <List.Item key={reason} className="value">
            {reason}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}

function CloseBreaker({ of: { group, source }, name, close }: { of: Breaker; name: string; close: () => void }) {
  const [allow, setAllow] = useState<number | string>(0)
  const refresh = useRefresh()
  return (
    <Confirm
      title={`Close the breaker of ${name}?`}
      action="Close the breaker"
      harmful={false}
      close={close}
      run={async () => {
        const body = source === null ? { allow: Number(allow) || 0 } : { source }
        const init = { params: { path: { group } }, body }
        await client.POST('/api/admin/v1/breakers/{group}/close', init)
        await refresh('/api/admin/v1/breakers', '/api/admin/v1/waiting')
      }}
    >
      {source !== null ? (
        'The records of the source count together with all others again. If they still fail, the source is isolated again.'
      ) : (
        <Stack gap="sm">
          The consumer continues where it stopped. First find out why its records failed. If the cause remains, the
          breaker opens again.
          <NumberInput
            label="Failed records to ignore"
            description="For a known run of invalid records. They become dead letters."
            value={allow}
            onChange={setAllow}
            min={0}
            max={MAX_ALLOWED}
            allowDecimal={false}
          />
        </Stack>
      )}
    </Confirm>
  )
}
