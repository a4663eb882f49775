import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { RoleRequired } from '../../parts/access/RoleRequired.tsx'
import { Loading } from '../../parts/feedback/Loading.tsx'
import { NotFound } from '../../parts/page/NotFound.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { SectionMenu } from '../../parts/page/SectionMenu.tsx'
import { useWaits } from '../../parts/page/waiting/useWaits.ts'
import { useCaller } from '../../session/caller.ts'
import { type Section, sections } from './sections.ts'

/** `/operations/...`: the pages for operators. The page of the sources is public. */
export default function Operations() {
  const [location] = useLocation()
  const path = location.replace(/\/$/, '')
  const section = sections.find((each) => each.path === path)
  if (section === undefined) return <NotFound />
  const { label, about, needs, purpose = '', content: Content } = section
  const content = (
    <Suspense fallback={<Loading />}>
      <Content />
    </Suspense>
  )
  return (
    <Page title={label} about={about}>
      <Menu here={path} />
      {needs === undefined ? (
        content
      ) : (
        <RoleRequired needs={needs} purpose={purpose}>
          {content}
        </RoleRequired>
      )}
    </Page>
  )
}

/** The sections that the caller may open, and the open one. */
function Menu({ here }: { here: string }) {
  const caller = useCaller()
  const waits = useWaits()
  const open = ({ path, needs }: Section) =>
    path === here || needs === undefined || caller?.administrator === true || caller?.roles.includes(needs)
  return <SectionMenu label="Operations" sections={sections.filter(open)} here={here} waits={waits} />
}
