import { ActionIcon, Anchor, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { paths } from '../../../api/schema.d.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { addressOf, type SearchAddress } from '../question/address.ts'
import { useSavedSearchChanges, useSavedSearches } from './queries.ts'
import { addressOfStored } from './stored-query.ts'

type SavedSearch = paths['/api/casework/v1/searches']['get']['responses'][200]['content']['application/json'][number]

/** The saved searches of the caller, newest first. */
export function SavedList({ openIt }: { openIt: (address: SearchAddress) => void }) {
  const [page, setPage] = useState(1)
  const saved = useSavedSearches(page)
  return (
    <QueryResult of={saved}>
      {({ items, pages, results }) =>
        items === 0 ? (
          <Text size="sm" c="dimmed">
            No saved searches yet.
          </Text>
        ) : (
          <Stack gap="xs">
            <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} data-testid="saved">
              {results.map((one) => (
                <li key={one.id} data-row={one.id}>
                  <SavedItem of={one} openIt={openIt} />
                </li>
              ))}
            </Stack>
            <Pager page={page} pages={pages} items={items} change={setPage} />
          </Stack>
        )
      }
    </QueryResult>
  )
}

function SavedItem({
  of: { id, name, query, updated_at },
  openIt,
}: {
  of: SavedSearch
  openIt: (address: SearchAddress) => void
}) {
  const [state, setState] = useState<'shown' | 'naming' | 'deleting'>('shown')
  const [text, setText] = useState(name)
  const { rename, remove } = useSavedSearchChanges()
  const address = addressOfStored(query)
  const error = rename.error ?? remove.error
  return (
    <Paper withBorder p="xs">
      {state === 'naming' ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const given = { params: { path: { id } }, body: { name: text.trim() } }
            if (text.trim() !== '') rename.mutate(given, { onSuccess: () => setState('shown') })
          }}
        >
          <Group gap="xs" wrap="nowrap">
            <TextInput
              style={{ flex: 1 }}
              size="xs"
              aria-label={`New name of ${name}`}
              data-autofocus
              value={text}
              maxLength={200}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Button size="xs" type="submit" loading={rename.isPending}>
              Rename
            </Button>
            <Button size="xs" variant="default" onClick={() => setState('shown')}>
              Cancel
            </Button>
          </Group>
        </form>
      ) : (
        <Group gap="xs" wrap="nowrap" justify="space-between">
          <Stack gap={0} style={{ minWidth: 0 }}>
            {address === null ? (
              <Text size="sm">{name}</Text>
            ) : (
              <Anchor
                size="sm"
                href={addressOf(address)}
                style={{ overflowWrap: 'anywhere' }}
                onClick={(event) => {
                  event.preventDefault()
                  openIt(address)
                }}
              >
                {name}
              </Anchor>
            )}
            <Text size="xs" c="dimmed">
              {about(address)}, <RelativeTime at={updated_at} />
            </Text>
          </Stack>
          {state === 'shown' ? (
            <Group gap={4} wrap="nowrap">
              <ActionIcon variant="subtle" onClick={() => setState('naming')} aria-label={`Rename ${name}`}>
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="red"
                onClick={() => setState('deleting')}
                aria-label={`Delete ${name}`}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          ) : (
            <Group gap={4} wrap="nowrap">
              <Button
                size="compact-xs"
                color="red"
                loading={remove.isPending}
                onClick={() => remove.mutate({ params: { path: { id } } })}
              >
                Delete
              </Button>
              <Button size="compact-xs" variant="default" onClick={() => setState('shown')}>
                Cancel
              </Button>
            </Group>
          )}
        </Group>
      )}
      {error && <ErrorAlert error={error} />}
    </Paper>
  )
}

function about(address: SearchAddress | null): string {
  if (address === null) return 'saved by another program'
  const where = address.index === 'history' ? 'history' : 'current entities'
  return address.mode === 'advanced' ? `advanced, ${where}` : `${address.q.slice(0, 40)}, ${where}`
}
