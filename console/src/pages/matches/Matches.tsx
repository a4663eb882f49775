import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { RoleRequired } from '../../parts/access/RoleRequired.tsx'
import { Loading } from '../../parts/feedback/Loading.tsx'
import { NotFound } from '../../parts/page/NotFound.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { SectionMenu } from '../../parts/page/SectionMenu.tsx'
import { sections } from './sections.ts'

/** What telemetry met, what it is matched with, and how it comes in, in sections. */
export default function Matches() {
  const [location] = useLocation()
  const path = location.replace(/\/$/, '')
  const section = sections.find((each) => each.path === path)
  if (section === undefined) return <NotFound />
  const Content = section.content
  return (
    <Page title={section.title} about={section.about}>
      <SectionMenu label="Matches" sections={sections} here={path} />
      <RoleRequired needs="user" purpose="To match telemetry">
        <Suspense fallback={<Loading />}>
          <Content />
        </Suspense>
      </RoleRequired>
    </Page>
  )
}
