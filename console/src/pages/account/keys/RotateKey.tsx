import { NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useRefresh } from '../../../api/refresh.ts'
import { signIn } from '../../../api/session.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { GRACES } from './key-form.ts'
import { type KeyPair, type RotatedPair, rotateKey } from './keys-api.ts'

type Props = {
  pair: KeyPair
  /** The caller is signed in with it. */
  held: boolean
  rotated: (pair: RotatedPair & { keyName: string }) => void
  close: () => void
}

/** A dialog that gives a key pair another secret. */
export function RotateKey({ pair, held, rotated, close }: Props) {
  const [grace, setGrace] = useState('3600')
  const refresh = useRefresh()

  async function rotate(): Promise<void> {
    const made = await rotateKey(pair.keyID, Number(grace))
    if (held) signIn({ kind: 'keys', apiKey: made.apiKey, apiSecret: made.apiSecret })
    rotated({ ...made, keyName: pair.keyName })
    await refresh('/auth/v2/keypairs')
  }

  return (
    <Confirm
      title={`Make a new secret for ${pair.keyName}?`}
      action="Make a new secret"
      harmful={false}
      run={rotate}
      close={close}
    >
      <Stack gap="sm">
        <Text size="sm">The API key stays, and what it may do. Its programs need the new secret.</Text>
        <NativeSelect
          label="The old secret"
          data={GRACES}
          value={grace}
          onChange={(event) => setGrace(event.currentTarget.value)}
        />
        {held && (
          <Text size="sm" fw={600}>
            You are signed in with this pair; this tab continues with the new secret.
          </Text>
        )}
      </Stack>
    </Confirm>
  )
}
