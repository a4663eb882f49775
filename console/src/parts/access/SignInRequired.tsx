import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useSignInLink } from '../../session/sign-in-link.ts'
import { EmptyState } from '../feedback/EmptyState.tsx'

/** What stands where anonymous callers see nothing: what there would be, and the way in. */
export function SignInRequired({ children }: { children: ReactNode }) {
  const signInLink = useSignInLink()
  return (
    <EmptyState title="Sign in to see this">
      {children}
      <Button component={Link} href={signInLink} size="sm" mt="md" display="block" w="fit-content" mx="auto">
        Sign in
      </Button>
    </EmptyState>
  )
}
