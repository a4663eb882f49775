import type { ReactNode } from 'react'
import { type Role, useCaller, useMay, useSignedIn } from '../../session/caller.ts'
import { Nothing } from '../feedback/EmptyState.tsx'
import { Waiting } from '../feedback/Loading.tsx'
import { SignInFirst } from './SignInRequired.tsx'

type Props = {
  needs: Role
  /** What the role is for: `To report entities`. */
  purpose: string
  children: ReactNode
}

/** What is for callers with a role; the others are told why it is not for them, and who could change that. */
export function NeedsRole({ needs, purpose, children }: Props) {
  const signedIn = useSignedIn()
  const caller = useCaller()
  const may = useMay(needs)
  if (!signedIn)
    return (
      <SignInFirst>
        {purpose}, sign in with an account that has the role {needs}.
      </SignInFirst>
    )
  if (caller === undefined || caller === null) return <Waiting />
  if (may) return <>{children}</>
  const held = caller.roles.length === 0 ? 'You have no role' : `Your roles are ${caller.roles.join(', ')}`
  return (
    <Nothing title="Not for your account">
      {purpose} you need the role {needs}. {held}. An administrator can give it to you.
    </Nothing>
  )
}
