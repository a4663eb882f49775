import { Box, Button } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { useSignedIn } from '../session/caller.ts'
import { useSignInLink } from '../session/sign-in-link.ts'

/** What places menus is 30 KB, and only those who signed in have one. */
const SignedInMenu = lazy(() => import('./SignedInMenu.tsx'))

/** The menu of who is signed in; or the way in. */
export function CallerMenu() {
  const signedIn = useSignedIn()
  const [location] = useLocation()
  const signInLink = useSignInLink()
  if (signedIn)
    return (
      // As wide as its button: nothing moves when it comes.
      <Suspense fallback={<Box w={34} style={{ flexShrink: 0 }} />}>
        <SignedInMenu />
      </Suspense>
    )
  if (location === '/sign-in') return null
  return (
    <Button component={Link} href={signInLink} size="sm" style={{ flexShrink: 0 }}>
      Sign in
    </Button>
  )
}
