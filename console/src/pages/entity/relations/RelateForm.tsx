import { Button, Group, Paper, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import type { RelationMode } from './relation-filter.ts'

const MOST = 20

/** States a relation to another known entity, which is found by its value first. */
export function RelateForm({ id, acknowledged }: { id: string; acknowledged: (what: string) => void }) {
  const [value, setValue] = useState('')
  const [other, setOther] = useState<string | null>(null)
  const [mode, setMode] = useState<RelationMode>('association')
  const lookup = api.useMutation('post', '/api/search/v1/entities/lookup')
  const relate = api.useMutation('post', '/api/ingest/v1/association')
  const candidates = (lookup.data?.results.flatMap(({ entities }) => entities) ?? []).filter((found) => found.id !== id)

  const find = () => {
    setOther(null)
    relate.reset()
    lookup.mutate({ body: { values: [value.trim()] } }, { onSuccess: ({ results }) => setOther(firstOf(results, id)) })
  }
  const send = (relatedEntityID: string) =>
    relate.mutate(
      { body: { entityID: id, relatedEntityID, mode } },
      {
        onSuccess: () => {
          acknowledged('Relation')
          setValue('')
          setOther(null)
          lookup.reset()
        },
      },
    )

  return (
    <Paper withBorder p="md" component="section" aria-labelledby="relate">
      <Stack gap="sm">
        <Title order={2} size="h4" id="relate">
          Relate to another entity
        </Title>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (value.trim() !== '') find()
          }}
        >
          <Group align="end" gap="xs">
            <TextInput
              label="Value of the other entity"
              description="Defanged values are accepted"
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
              maxLength={2_048}
              flex={1}
              miw={200}
              maw={520}
            />
            <Button type="submit" variant="default" loading={lookup.isPending} disabled={value.trim() === ''}>
              Find
            </Button>
          </Group>
        </form>
        <div role="status">
          {lookup.data && candidates.length === 0 && (
            <Text size="sm">No other entity has this value. Report it first, then add the relation.</Text>
          )}
        </div>
        {lookup.error !== null && <ErrorAlert error={lookup.error} />}
        {candidates.length > 0 && (
          <>
            <Radio.Group label="The other entity" value={other} onChange={setOther}>
              <Stack gap={6} mt={4}>
                {candidates.slice(0, MOST).map(({ id: candidate, type, attributes }) => (
                  <Radio
                    key={candidate}
                    value={candidate}
                    label={`${type} ${(attributes[type] ?? '').slice(0, 200)}`}
                  />
                ))}
              </Stack>
            </Radio.Group>
            <Radio.Group label="Kind of relation" value={mode} onChange={(to) => setMode(to as RelationMode)}>
              <Group gap="md" mt={4}>
                <Radio value="association" label="is related to this entity" />
                <Radio value="aggregation" label="is part of this entity" />
              </Group>
            </Radio.Group>
            <Text size="sm" c="dimmed">
              The relation is visible to those of your groups that may read both entities. It counts as a sighting of
              this entity.
            </Text>
            <Button
              style={{ alignSelf: 'start' }}
              onClick={() => other !== null && send(other)}
              disabled={other === null}
              loading={relate.isPending}
            >
              Relate
            </Button>
          </>
        )}
        {relate.error !== null && <ErrorAlert error={relate.error} />}
      </Stack>
    </Paper>
  )
}

/** The most likely target: the first result that is not the entity itself. */
const firstOf = (results: { entities: { id: string }[] }[], id: string): string | null =>
  results.flatMap(({ entities }) => entities).find((found) => found.id !== id)?.id ?? null
