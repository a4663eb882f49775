import { lazy, Suspense, useState } from 'react'
import { useSignedIn } from '../session/caller.ts'

const ShownNotices = lazy(() => import('./ShownNotices.tsx'))

/**
 * Notices are about accounts. They are loaded once somebody is signed in, not with the first notice, which may say that
 * the platform does not respond; and they stay when the session ends.
 */
export function Notices() {
  const signedIn = useSignedIn()
  const [wanted, setWanted] = useState(signedIn)
  if (signedIn && !wanted) setWanted(true)
  return (
    wanted && (
      <Suspense fallback={null}>
        <ShownNotices />
      </Suspense>
    )
  )
}
