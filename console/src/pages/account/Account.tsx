import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { SignInRequired } from '../../parts/access/SignInRequired.tsx'
import { Loading } from '../../parts/feedback/Loading.tsx'
import { NotFound } from '../../parts/page/NotFound.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { SectionMenu } from '../../parts/page/SectionMenu.tsx'
import { useSignedIn } from '../../session/caller.ts'
import { useInvitation } from '../../session/invitation.ts'
import { sections } from './sections.ts'

/** The account of the caller, in sections. */
export default function Account() {
  const [location] = useLocation()
  const signedIn = useSignedIn()
  const invitation = useInvitation()
  const path = location.replace(/\/$/, '')
  const section = sections.find((each) => each.path === path)
  if (section === undefined) return <NotFound />
  const Content = section.content
  return (
    <Page title={section.title} about={section.about}>
      <SectionMenu label="Account" sections={signedIn ? sections : sections.filter(({ open }) => open)} here={path} />
      {signedIn || section.open ? (
        <Suspense fallback={<Loading />}>
          <Content />
        </Suspense>
      ) : (
        <SignInRequired>
          {invitation === null
            ? 'Your account, team, plan and keys are here once you have signed in.'
            : 'You are invited to a team. Sign in or register with the address that received the mail, then accept.'}
        </SignInRequired>
      )}
    </Page>
  )
}
