import type { ReactNode } from 'react'
import { type Role, useCaller, useMay, useSignedIn } from '../../session/caller.ts'
import { EmptyState } from '../feedback/EmptyState.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { SignInRequired } from './SignInRequired.tsx'

type Props = {
  needs: Role
  /** What the role is for: `To report entities`. */
  purpose: string
  children: ReactNode
}

/** Content for callers with a role. Other callers see which role they lack and who can assign it. */
export function RoleRequired({ needs, purpose, children }: Props) {
  const signedIn = useSignedIn()
  const caller = useCaller()
  const may = useMay(needs)
  if (!signedIn)
    return (
      <SignInRequired>
        {purpose}, sign in with an account that has the role {needs}.
      </SignInRequired>
    )
  if (caller === undefined || caller === null) return <Loading />
  if (may) return <>{children}</>
  const held = caller.roles.length === 0 ? 'You have no role' : `Your roles are ${caller.roles.join(', ')}`
  return (
    <EmptyState title="Your account lacks a role">
      {purpose}, you need the role {needs}. {held}. An administrator can assign it to you.
    </EmptyState>
  )
}
