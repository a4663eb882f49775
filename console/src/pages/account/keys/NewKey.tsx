import { Button, Group, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useRefresh } from '../../../api/refresh.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { faultsOf } from '../../../parts/form/field-faults.ts'
import { useSend } from '../../../parts/form/useSend.ts'
import { useCaller } from '../../../session/caller.ts'
import { BoundInputs } from './BoundInputs.tsx'
import { CreatedKey } from './CreatedKey.tsx'
import { areDays, type KeyFields, MAX_DAYS, NEW_KEY, networksFault, newKeyBody, PARAMS, scopesFor } from './key-form.ts'
import { type CreatedPair, createKey } from './keys-api.ts'

/** Creates a key pair and shows its secret, which is shown only once. */
export function NewKey() {
  const [fields, setFields] = useState<KeyFields>(NEW_KEY)
  const [made, setMade] = useState<CreatedPair | null>(null)
  const caller = useCaller()
  const refresh = useRefresh()
  const { error, sending, send, forget } = useSend()
  const set = (part: Partial<KeyFields>): void => {
    forget()
    setFields((now) => ({ ...now, ...part }))
  }
  const create = () =>
    send(async () => {
      setMade(await createKey(newKeyBody(fields)))
      await refresh('/auth/v2/keypairs')
    })
  if (made !== null) {
    const done = () => {
      setFields(NEW_KEY)
      setMade(null)
    }
    return <CreatedKey pair={made} email={caller?.email ?? ''} again={() => void create()} done={done} />
  }
  const faults = faultsOf(PARAMS, error)
  const lines = networksFault(fields.networks)
  const ready = fields.name.trim() !== '' && areDays(fields.days) && lines === null
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Create a key pair
      </Title>
      <Text size="sm" c="dimmed">
        Give a key only what its program needs. A key can be narrowed further, but never widened.
        {caller?.session === false &&
          ' Because you are signed in with a key pair, we mail you a code to verify the new one, and it may do no more than this pair.'}
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) void create()
        }}
      >
        <Stack gap="sm" maw={720}>
          <Group align="start" gap="sm">
            <TextInput
              label="Name"
              placeholder="Its purpose"
              value={fields.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              error={faults.name}
              autoComplete="off"
              maxLength={100}
              w={{ base: '100%', xs: 260 }}
            />
            <NumberInput
              label="Days"
              value={fields.days}
              onChange={(days) => set({ days })}
              error={faults.days ?? faults.expireAt}
              min={1}
              max={MAX_DAYS}
              allowDecimal={false}
              clampBehavior="blur"
              w={120}
            />
          </Group>
          <BoundInputs
            value={fields}
            scopes={scopesFor(caller?.roles ?? [])}
            groups={caller?.groups ?? []}
            faults={{ ...faults, networks: lines ?? faults.networks }}
            change={set}
          />
          {error !== null && Object.keys(faults).length === 0 && <ErrorAlert error={error} />}
          <Button type="submit" disabled={!ready} loading={sending} w="fit-content">
            Create the key pair
          </Button>
        </Stack>
      </form>
    </Stack>
  )
}
