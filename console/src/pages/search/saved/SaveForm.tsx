import { Button, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { asProblem } from '../../../api/problem.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { Notice } from '../../../parts/feedback/Notice.tsx'
import type { SearchAddress } from '../question/address.ts'
import { useSavedSearchChanges } from './queries.ts'
import { storedQuery } from './stored-query.ts'

/** Saves the present search under a name. */
export function SaveForm({ address }: { address: SearchAddress }) {
  const [name, setName] = useState('')
  const { make } = useSavedSearchChanges()
  const query = storedQuery(address)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (query === null || name.trim() === '') return
    make.mutate({ body: { name: name.trim(), query } }, { onSuccess: () => setName('') })
  }
  return (
    <form onSubmit={save}>
      <Group gap="xs" align="end" wrap="nowrap">
        <TextInput
          style={{ flex: 1 }}
          label="Name of this search"
          value={name}
          maxLength={200}
          disabled={query === null}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={make.isPending} disabled={query === null || name.trim() === ''}>
          Save
        </Button>
      </Group>
      {query === null && (
        <Text size="xs" c="dimmed" mt={4}>
          Run a search first. The last search is the one that is saved.
        </Text>
      )}
      <Text size="xs" mt={4} role="status">
        {make.isSuccess && name === '' && 'Saved.'}
      </Text>
      {make.error && <SaveError error={make.error} />}
    </form>
  )
}

function SaveError({ error }: { error: unknown }) {
  const { code, status, message } = asProblem(error)
  if (code !== 'quota_exceeded' && status !== 403) return <ErrorAlert error={error} />
  return (
    <Notice role="alert" title={status === 403 ? 'Saved searches need a team' : 'Limit of saved searches reached'}>
      {status === 403
        ? `Your account is in no team that may save searches (${message}). A team owner can add you. Until then, bookmark this page: its address contains the whole search.`
        : 'Your team has as many saved searches as its tier allows. Delete one below, or ask the owner of the team for a higher tier.'}
    </Notice>
  )
}
