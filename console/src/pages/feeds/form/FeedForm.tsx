import { NumberInput, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { Json } from '../../../parts/copy/Json.tsx'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { RecordForm } from '../../../parts/form/RecordForm.tsx'
import { Preview } from '../../../parts/form/selector/Preview.tsx'
import { SelectorInputs } from '../../../parts/form/selector/SelectorInputs.tsx'
import { usePreview } from '../../../parts/form/selector/usePreview.ts'
import { useSend } from '../../../parts/form/useSend.ts'
import { useCaller } from '../../../session/caller.ts'
import { groupNames } from '../../../session/group-name.ts'
import type { Feed } from '../feed.ts'
import { changesOf, definitionOf, type FeedFields, feedFields } from './definition-form.ts'
import { faultsOf } from './field-faults.ts'
import { GuardInputs } from './GuardInputs.tsx'
import { ReaderInputs } from './ReaderInputs.tsx'

type Props = {
  /** The feed that is changed; absent: a new one. */
  feed?: Feed
  /** With the feed as it is now; null: nothing was done. */
  done: (feed: Feed | null) => void
}

/** Defines a feed, or changes one. Its readers cannot be changed: that would be another list. */
export function FeedForm({ feed, done }: Props) {
  /** As it was when the form opened: what a colleague changes meanwhile is no change of this form. */
  const [before] = useState(feed)
  const [fields, setFields] = useState(() => feedFields(feed))
  const [readers, setReaders] = useState({ groups: feed?.groups ?? [], open: feed?.open ?? false })
  const { error, sending, send, forget } = useSend()
  const refresh = useRefresh()
  const caller = useCaller()
  const groups = readers.open ? ['public'] : readers.groups
  const { selector } = definitionOf(fields)
  const preview = usePreview(selector, groups)
  const previewFaults = faultsOf(preview.fault)
  const faults = { ...previewFaults, ...faultsOf(error) }
  const set = (given: Partial<FeedFields>): void => {
    setFields((now) => ({ ...now, ...given }))
    forget()
  }

  async function stored(): Promise<Feed> {
    if (before === undefined) {
      const body = { ...definitionOf(fields), ...(groups.length === 0 ? {} : { groups }), open: readers.open }
      return (await client.POST('/api/feeds/v1/feeds', { body })).data!
    }
    const body = changesOf(before, fields)
    if (Object.keys(body).length === 0) return before
    return (await client.PATCH('/api/feeds/v1/feeds/{id}', { params: { path: { id: before.id } }, body })).data!
  }

  async function store(): Promise<void> {
    const made = await stored()
    await refresh('/api/feeds/v1/feeds', '/api/feeds/v1/feeds/{id}')
    done(made)
  }

  const reader = groups.length === 0 ? 'a reader in all of your groups' : `a reader in ${groupNames(groups, caller)}`
  return (
    <RecordForm
      title={feed === undefined ? 'New feed' : `Change ${feed.name}`}
      name={fields.name}
      fault={faults.name}
      setName={(name) => set({ name })}
      problem={error !== null && <FeedProblem error={error} />}
      verb={feed === undefined ? 'Publish' : 'Change'}
      sending={sending}
      submit={() => void send(store)}
      cancel={() => done(null)}
    >
      <Textarea
        label="Description"
        autosize
        maxRows={6}
        maxLength={2_000}
        value={fields.description}
        error={faults.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <SelectorInputs value={fields.selector} faults={faults} change={(to) => set({ selector: to })} />
      {feed === undefined && <ReaderInputs value={readers} faults={faults} change={setReaders} />}
      <Preview of={preview.query} reader={reader} faulty={Object.keys(previewFaults).length > 0} />
      <NumberInput
        label="Most items"
        description="the worst entities come first; empty: all"
        maw={280}
        min={1}
        max={10_000_000}
        allowDecimal={false}
        value={fields.cap}
        error={faults.cap}
        onChange={(given) => set({ cap: given === '' ? '' : Number(given) })}
      />
      <GuardInputs value={fields} faults={faults} set={set} />
      <Json title="Selector" of={selector} rows={200} />
    </RecordForm>
  )
}

/** What the platform refused: a marked field says it, or an alert does. */
function FeedProblem({ error }: { error: unknown }) {
  if (Object.keys(faultsOf(error)).length === 0) return <ErrorAlert error={error} />
  return (
    <Text size="sm" role="alert">
      The platform refused the feed. Correct the marked field.
    </Text>
  )
}
