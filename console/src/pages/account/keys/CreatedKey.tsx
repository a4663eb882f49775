import { notifications } from '@mantine/notifications'
import { useRef } from 'react'
import { useRefresh } from '../../../api/refresh.ts'
import { CodeStep } from '../../../parts/access/CodeStep.tsx'
import { KeySecret } from '../../../parts/access/KeySecret.tsx'
import type { CreatedPair } from './keys-api.ts'

/** Codes are valid for ten minutes; the answer to a new key pair does not say until when. */
const CODE_SECONDS = 600

type Props = {
  pair: CreatedPair
  email: string
  /** Creates another pair instead of this one; its code is mailed. */
  again: () => void
  done: () => void
}

/** A new key pair of the caller, and the code that verifies it where one is needed. */
export function CreatedKey({ pair, email, again, done }: Props) {
  const createdAt = useRef(Math.floor(Date.now() / 1_000))
  const refresh = useRefresh()
  return (
    <KeySecret pair={pair} done={done}>
      {pair.verificationCodeID !== null && (
        <CodeStep
          key={pair.verificationCodeID}
          email={email}
          verificationCodeID={pair.verificationCodeID}
          expireAt={createdAt.current + CODE_SECONDS}
          action="Verify the key pair"
          again={again}
          againLabel="No code received: create another pair"
          verified={() => {
            notifications.show({ title: 'Verified', message: `The key pair ${pair.keyName} can be used.` })
            void refresh('/auth/v2/keypairs')
            done()
          }}
        />
      )}
    </KeySecret>
  )
}
