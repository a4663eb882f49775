import { Button, Checkbox, Group, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import type { paths } from '../../../api/schema.d.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { LetterActions } from './LetterActions.tsx'
import { type Letter, STATES } from './letters.ts'

const EVERY_MS = 10_000

type Props = {
  filter: NonNullable<paths['/api/admin/v1/dead-letters']['get']['parameters']['query']>
  open: (id: string) => void
  /** Goes to the letters behind this one; empty: to the newest. */
  later: (after: string) => void
  first: boolean
}

const isNarrowed = ({ topic, reason }: Props['filter']): boolean => topic !== undefined || reason !== undefined

/** Why the list is empty. */
function emptyText(first: boolean, filter: Props['filter']): string {
  if (!first) return 'There are no older letters.'
  if (isNarrowed(filter)) return 'No letter has this topic and this reason. Choose any topic, or another text.'
  if (filter.state === undefined) return 'All records of the last 30 days could be processed.'
  if (filter.state === 'waiting') return 'No letter waits. Letters that were replayed or dropped have another state.'
  return `No letter of the last 30 days was ${filter.state}.`
}

/** Letters, newest first; those that wait can be chosen and decided about together. */
export function LetterList({ filter, open, later, first }: Props) {
  const result = api.useQuery(
    'get',
    '/api/admin/v1/dead-letters',
    { params: { query: filter } },
    { refetchInterval: EVERY_MS },
  )
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  return (
    <QueryResult of={result}>
      {({ letters, next }) => {
        const waiting = letters.filter(({ state }) => state === 'waiting').map(({ id }) => id)
        const ids = waiting.filter((id) => chosen.has(id))
        const toggle = (id: string, on: boolean) =>
          setChosen(new Set(on ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
        if (letters.length === 0)
          return (
            <EmptyState title={first && isNarrowed(filter) ? 'No dead letter fits' : 'No dead letters'}>
              {emptyText(first, filter)}
            </EmptyState>
          )
        return (
          <Stack gap="sm">
            <Group gap="sm">
              <Checkbox
                label={`Select all waiting letters (${waiting.length})`}
                disabled={waiting.length === 0}
                checked={ids.length > 0 && ids.length === waiting.length}
                indeterminate={ids.length > 0 && ids.length < waiting.length}
                onChange={(event) => setChosen(new Set(event.currentTarget.checked ? waiting : []))}
              />
              <LetterActions ids={ids} decided={() => setChosen(new Set())} />
            </Group>
            <ScrollTable
              label="Dead letters"
              minWidth={720}
              columns={[['Select', 76], 'Letter', 'Reason', ['State', 110], ['Since', 140]]}
            >
              {letters.map((letter) => (
                <LetterRow key={letter.id} letter={letter} on={chosen.has(letter.id)} toggle={toggle} open={open} />
              ))}
            </ScrollTable>
            <Group gap="sm">
              {!first && (
                <Button size="xs" variant="default" onClick={() => later('')}>
                  Newest
                </Button>
              )}
              {next !== null && (
                <Button size="xs" variant="default" onClick={() => later(next)}>
                  Older
                </Button>
              )}
            </Group>
          </Stack>
        )
      }}
    </QueryResult>
  )
}

type LetterRowProps = {
  letter: Letter
  on: boolean
  toggle: (id: string, on: boolean) => void
  open: (id: string) => void
}

function LetterRow({ letter: { id, reason, state, buriedAt, replayedFrom }, on, toggle, open }: LetterRowProps) {
  return (
    <Table.Tr data-testid="letter">
      <Table.Td>
        {state === 'waiting' && (
          <Checkbox
            aria-label={`Select ${id}`}
            checked={on}
            onChange={(event) => toggle(id, event.currentTarget.checked)}
          />
        )}
      </Table.Td>
      <Table.Td>
        <UnstyledButton className="value" fz="sm" td="underline" onClick={() => open(id)}>
          {id}
        </UnstyledButton>
      </Table.Td>
      <Table.Td fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {reason}
        {replayedFrom !== null && (
          <Text size="xs" c="dimmed">
            failed again after a replay
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <span aria-hidden>{STATES[state].sign} </span>
        {STATES[state].label}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={buriedAt} />
      </Table.Td>
    </Table.Tr>
  )
}
