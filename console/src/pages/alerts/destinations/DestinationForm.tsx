import { Checkbox, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { RecordForm } from '../../../parts/form/RecordForm.tsx'
import { useSend } from '../../../parts/form/useSend.ts'
import { useWatchlists } from '../../../parts/watch/useWatchlists.ts'
import {
  bodyOf,
  changesOf,
  type Destination,
  type DestinationFields,
  DIGESTS,
  fieldsOf,
  KINDS,
  NO_DESTINATION,
} from './destination-form.ts'

type Props = {
  /** The destination that is changed; absent: a new one. */
  destination?: Destination
  /** With the destination, and its secret when it is new; null: nothing was done. */
  done: (made: { id: string; secret?: string } | null) => void
}

const options = (words: Readonly<Record<string, string | { label: string }>>) =>
  Object.entries(words).map(([value, word]) => ({ value, label: typeof word === 'string' ? word : word.label }))

/** Makes a destination, or changes one. Its kind stays. */
export function DestinationForm({ destination, done }: Props) {
  const [before] = useState(destination)
  const [fields, setFields] = useState<DestinationFields>(() =>
    before === undefined ? NO_DESTINATION : fieldsOf(before),
  )
  const { error, sending, send } = useSend()
  const watchlists = useWatchlists()
  const refresh = useRefresh()
  const set = (given: Partial<DestinationFields>): void => setFields((now) => ({ ...now, ...given }))

  async function stored() {
    if (before === undefined) return (await client.POST('/api/alerts/v1/destinations', { body: bodyOf(fields) })).data!
    const body = changesOf(before, fields)
    const params = { path: { id: before.id } }
    if (body !== null) await client.PATCH('/api/alerts/v1/destinations/{id}', { params, body })
    return { id: before.id }
  }

  async function store(): Promise<void> {
    const made = await stored()
    await refresh('/api/alerts/v1/destinations', '/api/alerts/v1/destinations/{id}')
    done(made)
  }

  const problem = error === null ? null : asProblem(error)
  const at = (...params: string[]) => (params.includes(problem?.param ?? '') ? problem?.message : undefined)
  const addressFault = at('url', 'email')
  const known = watchlists.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const gone = fields.watchlists.filter((id) => watchlists.data?.every((one) => one.id !== id))
  const { address, hint } = KINDS[fields.kind]
  return (
    <RecordForm
      title={before === undefined ? 'New destination' : 'Change the destination'}
      name={fields.name}
      fault={at('name')}
      setName={(name) => set({ name })}
      problem={error !== null && addressFault === undefined && <ErrorAlert error={error} />}
      verb={before === undefined ? 'Create' : 'Change'}
      ready={fields.address.trim() !== ''}
      sending={sending}
      submit={() => void send(store)}
      cancel={() => done(null)}
    >
      {before === undefined && (
        <NativeSelect
          label="Kind"
          data={options(KINDS)}
          value={fields.kind}
          onChange={(event) => set({ kind: event.currentTarget.value as Destination['kind'], address: '' })}
        />
      )}
      <TextInput
        label={address}
        description={hint}
        required
        type={fields.kind === 'email' ? 'email' : 'url'}
        maxLength={2_048}
        autoComplete="off"
        spellCheck={false}
        value={fields.address}
        error={addressFault}
        onChange={(event) => set({ address: event.currentTarget.value })}
      />
      <MultiSelect
        label="Watchlists"
        description="their alerts are sent; empty: the alerts of all watchlists"
        data={[...known, ...gone.map((id) => ({ value: id, label: 'a deleted watchlist' }))]}
        value={fields.watchlists}
        error={at('watchlists')}
        onChange={(to) => set({ watchlists: to })}
        clearable
        searchable
      />
      <NativeSelect
        label="When"
        data={options(DIGESTS)}
        value={fields.digest}
        onChange={(event) => set({ digest: event.currentTarget.value as Destination['digest'] })}
      />
      <Checkbox
        label="Public data only"
        description="Alerts are based only on data that everybody may read. Turn this on if others can read the destination."
        checked={fields.publicOnly}
        onChange={(event) => set({ publicOnly: event.currentTarget.checked })}
      />
    </RecordForm>
  )
}
