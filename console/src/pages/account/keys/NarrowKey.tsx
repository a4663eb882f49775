import { Button, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRefresh } from '../../../api/refresh.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { faultsOf } from '../../../parts/form/field-faults.ts'
import { useSend } from '../../../parts/form/useSend.ts'
import { useCaller } from '../../../session/caller.ts'
import { BoundInputs } from './BoundInputs.tsx'
import {
  areDays,
  emptiedParts,
  fieldsOf,
  type KeyFields,
  keyChange,
  MAX_DAYS,
  networksFault,
  PARAMS,
  scopesFor,
} from './key-form.ts'
import { type KeyPair, narrowKey } from './keys-api.ts'

/** A dialog that takes rights away from a key pair, or names it anew. It gives none back. */
export function NarrowKey({ pair, close }: { pair: KeyPair; close: () => void }) {
  const [fields, setFields] = useState<KeyFields>(() => fieldsOf(pair))
  const caller = useCaller()
  const refresh = useRefresh()
  const { error, sending, send, forget } = useSend()
  const set = (part: Partial<KeyFields>): void => {
    forget()
    setFields((now) => ({ ...now, ...part }))
  }
  const faults = faultsOf(PARAMS, error)
  const emptied = emptiedParts(pair, fields)
  const lines = networksFault(fields.networks)
  const ended = fields.days === '' || areDays(fields.days)
  const change = keyChange(pair, fields, Date.now())
  const ready =
    change !== null && ended && lines === null && Object.keys(emptied).length === 0 && fields.name.trim() !== ''

  async function narrow(): Promise<void> {
    if (change === null) return
    await narrowKey(pair.keyID, change)
    await refresh('/auth/v2/keypairs')
    close()
  }

  return (
    <Modal
      opened
      onClose={close}
      title={`Narrow ${pair.keyName}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
      size="lg"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) void send(narrow)
        }}
      >
        <Stack gap="sm">
          <Text size="sm">
            Programs that use the key have less at once. What you take away cannot be given back: a new key can have it.
          </Text>
          <TextInput
            label="Name"
            value={fields.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={faults.name}
            autoComplete="off"
            maxLength={100}
          />
          <BoundInputs
            value={fields}
            held={pair}
            scopes={pair.scopes ?? scopesFor(caller?.roles ?? [])}
            groups={pair.groups ?? caller?.groups ?? []}
            faults={{ ...faults, ...emptied, networks: lines ?? emptied.networks ?? faults.networks }}
            change={set}
          />
          <NumberInput
            label="End it sooner"
            description="Days from now. Empty: it ends when it would have ended."
            value={fields.days}
            onChange={(days) => set({ days })}
            error={faults.expireAt}
            min={1}
            max={MAX_DAYS}
            allowDecimal={false}
            w={260}
          />
          {error !== null && Object.keys(faults).length === 0 && <ErrorAlert error={error} />}
          <Group justify="end" gap="sm">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" disabled={!ready} loading={sending}>
              Narrow
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
