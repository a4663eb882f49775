import { Anchor } from '@mantine/core'
import { Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { SignInRequired } from '../../parts/access/SignInRequired.tsx'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'
import { Loading } from '../../parts/feedback/Loading.tsx'
import { NotFound } from '../../parts/page/NotFound.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { SectionMenu } from '../../parts/page/SectionMenu.tsx'
import { useCaller, useSignedIn } from '../../session/caller.ts'
import { sections } from './sections.ts'

/** The alerts of the caller, what makes them, and where they go, in sections. */
export default function Alerts() {
  const [location] = useLocation()
  const signedIn = useSignedIn()
  const caller = useCaller()
  const path = location.replace(/\/$/, '')
  const section = sections.find((each) => each.path === path)
  if (section === undefined) return <NotFound />
  const Content = section.content
  return (
    <Page title={section.title} about={section.about}>
      <SectionMenu label="Alerts" sections={sections} here={path} />
      {!signedIn ? (
        <SignInRequired>Watchlists and their alerts belong to one account.</SignInRequired>
      ) : caller?.customer === null ? (
        <EmptyState title="You are in no team">
          Watchlists and alerts are for members of a team.{' '}
          <Anchor component={Link} href="/account/team" inherit underline="always">
            Create or join a team
          </Anchor>
        </EmptyState>
      ) : (
        <Suspense fallback={<Loading />}>
          <Content />
        </Suspense>
      )}
    </Page>
  )
}
