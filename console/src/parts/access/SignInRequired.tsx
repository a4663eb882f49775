import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useSignInLink } from '../../session/sign-in-link.ts'
import { EmptyState } from '../feedback/EmptyState.tsx'

/** The message for anonymous callers on pages that need an account, with a link to sign in. */
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
