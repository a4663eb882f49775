import { Button, Group, Modal, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { api } from '../../../api/client.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { useSend } from '../../../parts/form/useSend.ts'
import type { Item } from '../feed.ts'
import { BulkVerdict } from './BulkVerdict.tsx'
import { personText, type States, type TriageChange, type TriagePerson } from './states.ts'
import type { TriageWork } from './useTriage.ts'
import type { Work } from './useWork.ts'

const MAX_NOTE = 2_000

/** The dialog that is open, if one is. */
export function WorkDialogs({ work, triage }: { work: Work; triage: TriageWork }) {
  if (work.dialog === null) return null
  const { kind, items } = work.dialog
  const about = items.length === 1 ? items[0]!.value.slice(0, 80) : `${items.length} entities`
  const title = { assign: `Assign ${about}`, note: `Note on ${about}`, verdict: `Verdict of your team on ${about}` }[
    kind
  ]
  const apply = (change: TriageChange) => work.apply(items, change)
  return (
    <Modal opened onClose={work.close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      {kind === 'assign' && <Assign items={items} triage={triage} apply={apply} close={work.close} />}
      {kind === 'note' && <Note items={items} states={triage.states} apply={apply} close={work.close} />}
      {kind === 'verdict' && <BulkVerdict items={items} decided={work.clear} close={work.close} />}
    </Modal>
  )
}

type Form = { apply: (change: TriageChange) => Promise<void>; close: () => void }

function ChangeForm({ change, apply, close, children }: Form & { change: TriageChange; children: ReactNode }) {
  const { error, sending, send } = useSend()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void send(async () => {
      await apply(change)
      close()
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {children}
        {error !== null && <ErrorAlert error={error} />}
        <Group justify="end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={sending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type AssignProps = Form & { items: readonly Item[]; triage: TriageWork }

function Assign(props: AssignProps) {
  const members = api.useQuery('get', '/api/casework/v1/triage/members')
  return <QueryResult of={members}>{(data) => <AssignForm {...props} members={data.members} />}</QueryResult>
}

/** Begins with who has it, or with the caller. */
function AssignForm({ items, triage, members, ...form }: AssignProps & { members: TriagePerson[] }) {
  const { me } = triage
  const held = items.length === 1 ? triage.states.get(items[0]!.id)?.assignee?.userID : undefined
  const known = members.some(({ userID }) => userID === (held ?? me))
  const [to, setTo] = useState(known ? (held ?? me ?? '') : '')
  return (
    <ChangeForm {...form} change={{ assignee: to === '' ? null : to }}>
      <NativeSelect
        label="Assigned to"
        data-autofocus
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        data={[
          { value: '', label: 'not assigned' },
          ...members.map((member) => ({ value: member.userID, label: personText(member, me) })),
        ]}
      />
    </ChangeForm>
  )
}

function Note({ items, states, ...form }: Form & { items: readonly Item[]; states: States }) {
  const [note, setNote] = useState(items.length === 1 ? (states.get(items[0]!.id)?.note ?? '') : '')
  return (
    <ChangeForm {...form} change={{ note: note.trim() }}>
      <Textarea
        label="Note"
        description="Your team reads it. An empty note removes the one before."
        data-autofocus
        autosize
        minRows={2}
        maxLength={MAX_NOTE}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {items.length > 1 && <Text size="sm">It replaces the notes of all {items.length} entities.</Text>}
    </ChangeForm>
  )
}
