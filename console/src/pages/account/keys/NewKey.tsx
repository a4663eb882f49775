import { Button, Group, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { useCaller } from '../../../session/caller.ts'
import { CreatedKey } from './CreatedKey.tsx'

const MAX_DAYS = 3650

/** Creates a key pair and shows its secret, which is shown only once. */
export function NewKey() {
  const [name, setName] = useState('')
  const [days, setDays] = useState<number | string>(90)
  const caller = useCaller()
  const refresh = useRefresh()
  const make = api.useMutation('post', '/auth/v2/keypair', { onSuccess: () => refresh('/auth/v2/keypairs') })
  const whole = typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= MAX_DAYS
  const ready = name.trim() !== '' && whole
  if (make.data !== undefined) {
    const done = () => {
      setName('')
      make.reset()
    }
    return (
      <CreatedKey
        pair={make.data}
        email={caller?.email ?? ''}
        again={() => make.mutate({ body: { name: name.trim(), days: Number(days) } })}
        done={done}
      />
    )
  }
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Create a key pair
      </Title>
      <Text size="sm" c="dimmed">
        A key pair has all of your permissions.
        {caller?.session === false &&
          ' Because you are signed in with a key pair, we mail you a code to verify the new one.'}
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !make.isPending) make.mutate({ body: { name: name.trim(), days: Number(days) } })
        }}
      >
        <Group align="end" gap="sm">
          <TextInput
            label="Name"
            placeholder="Its purpose"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="off"
            maxLength={100}
            w={{ base: '100%', xs: 260 }}
          />
          <NumberInput
            label="Days"
            value={days}
            onChange={setDays}
            min={1}
            max={MAX_DAYS}
            allowDecimal={false}
            clampBehavior="blur"
            w={120}
          />
          <Button type="submit" disabled={!ready} loading={make.isPending}>
            Create the key pair
          </Button>
        </Group>
      </form>
      {make.error && <ErrorAlert error={make.error} />}
    </Stack>
  )
}
