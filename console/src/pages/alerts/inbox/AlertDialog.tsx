import { Autocomplete, Button, Group, Modal, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { useSend } from '../../../parts/form/useSend.ts'
import { nameOf, useCaller } from '../../../session/caller.ts'
import { type Alert, type AlertState, matchText, STATE_WORDS, STATES, stateOf } from './alerts.ts'
import { changeOf } from './change.ts'

type Props = { alert: Alert; watchlist: string; close: () => void }

/** What its user did with an alert: its state, who looks at it, and a note. */
export function AlertDialog({ alert, watchlist, close }: Props) {
  const caller = useCaller()
  const [state, setState] = useState<AlertState>(stateOf(alert))
  const [assignee, setAssignee] = useState(alert.assignee ?? '')
  const [note, setNote] = useState(alert.note ?? '')
  const { error, sending, send } = useSend()
  const refresh = useRefresh()
  const lacksName = state === 'assigned' && assignee.trim() === ''

  async function store(): Promise<void> {
    const body = changeOf(alert, { state, assignee, note })
    if (body !== null) {
      await client.PATCH('/api/casework/v1/alerts/{id}', { params: { path: { id: alert.id } }, body })
      await refresh('/api/casework/v1/alerts')
    }
    close()
  }

  return (
    <Modal opened onClose={close} title="Change the alert" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!lacksName) void send(store)
        }}
      >
        <Stack>
          <div>
            <Text size="sm" className="value" lineClamp={3}>
              {alert.entityValue}
            </Text>
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} lineClamp={3}>
              {matchText(alert)}, in {watchlist}
            </Text>
          </div>
          <SegmentedControl
            aria-label="State"
            value={state}
            onChange={(to) => setState(to as AlertState)}
            data={STATES.map((value) => ({ value, label: STATE_WORDS[value].label }))}
          />
          {state === 'assigned' && (
            <Autocomplete
              label="Assigned to"
              description="name of a colleague; the colleague is not notified"
              data={caller ? [nameOf(caller)] : []}
              maxLength={200}
              value={assignee}
              onChange={setAssignee}
              error={lacksName ? 'Enter who handles it.' : null}
            />
          )}
          <Textarea
            label="Note"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2_000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {error !== null && <ErrorAlert error={error} />}
          <Group justify="end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" disabled={lacksName} loading={sending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
