import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { Json } from '../../../parts/copy/Json.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { withName } from '../../../parts/format/ids.ts'
import { useNames } from '../../../parts/format/useNames.ts'
import { Facts } from '../../../parts/tables/Facts.tsx'
import { formatInstant, RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { LetterActions } from './LetterActions.tsx'
import { STATES } from './letters.ts'

/** One letter: its position, the reason, the decision, its headers and its value. */
export function LetterDetail({ id, close }: { id: string; close: () => void }) {
  const result = api.useQuery('get', '/api/admin/v1/dead-letters/{id}', { params: { path: { id } } })
  const names = useNames([result.data?.outcome?.by])
  return (
    <Paper withBorder p="md" data-testid="letter-detail">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Title order={2} size="h4" className="value">
            {id}
          </Title>
          <Button size="compact-sm" variant="default" onClick={close}>
            Close
          </Button>
        </Group>
        <QueryResult of={result}>
          {({
            reason,
            state,
            outcome,
            origin,
            attempts,
            schemaId,
            handler,
            key,
            bytes,
            buriedAt,
            headers,
            payload,
            replayedFrom,
          }) => (
            <>
              <Text size="sm" role="status" data-testid="letter-state">
                <span aria-hidden>{STATES[state].sign} </span>
                {STATES[state].label}. {STATES[state].about}
                {outcome !== null && ` By ${withName(outcome.by, names)}, ${formatInstant(outcome.at)}.`}
                {outcome?.note && ` Note: ${outcome.note}`}
              </Text>
              <Facts
                label="The letter"
                rows={[
                  ['Reason', reason],
                  ['Position', `${origin.topic}, partition ${origin.partition}, offset ${origin.offset}`],
                  ['Written', <RelativeTime key="written" at={origin.at} />],
                  ['Failed', <RelativeTime key="failed" at={buriedAt} />],
                  ['Attempts', attempts],
                  ['Key', key ?? 'none'],
                  ['Size', `${bytes.toLocaleString('en')} bytes`],
                  ['Schema', schemaId ?? 'not readable'],
                  ...(handler === null ? [] : [['Handler', handler] as [string, string]]),
                  ...(replayedFrom === null ? [] : [['Replay of', replayedFrom] as [string, string]]),
                ]}
              />
              {state === 'waiting' && (
                <Group gap="sm">
                  <LetterActions ids={[id]} />
                </Group>
              )}
              {payload.kind === 'record' ? (
                <Json title="Record" of={payload.record} />
              ) : (
                <Bytes fault={payload.fault} hex={payload.hex} text={payload.text} />
              )}
              <Title order={3} size="h5">
                Headers
              </Title>
              <Facts label="Headers" rows={Object.entries(headers).map(([name, value]) => [name, String(value)])} />
            </>
          )}
        </QueryResult>
      </Stack>
    </Paper>
  )
}

function Bytes({ fault, hex, text }: { fault: string; hex: string; text: string }) {
  const lines = hex.match(/.{1,64}/g)?.join('\n') ?? ''
  const style = { maxHeight: 240, overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const
  return (
    <>
      <Text size="sm">
        The record cannot be decoded: {fault}. Its first bytes follow, as hexadecimal digits and as text.
      </Text>
      <Code block style={style} tabIndex={0} role="region" aria-label="As hexadecimal digits">
        {lines}
      </Code>
      <Code block style={style} tabIndex={0} role="region" aria-label="As text">
        {text}
      </Code>
    </>
  )
}
