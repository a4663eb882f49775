import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { NeedsRole } from '../../parts/access/RoleRequired.tsx'
import { Waiting } from '../../parts/feedback/Loading.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { PlaceMenu } from '../../parts/page/SectionMenu.tsx'
import { useCaller } from '../../session/caller.ts'
import { NotFound } from '../../shell/NotFound.tsx'
import { type Section, sections } from './sections.ts'

/** `/operations/...`: what operators look at; how the sources do is for everyone. */
export default function Operations() {
  const [location] = useLocation()
  const path = location.replace(/\/$/, '')
  const section = sections.find((each) => each.path === path)
  if (section === undefined) return <NotFound />
  const { label, about, needs, purpose = '', content: Content } = section
  const content = (
    <Suspense fallback={<Waiting />}>
      <Content />
    </Suspense>
  )
  return (
    <Page title={label} about={about}>
      <Menu here={path} />
      {needs === undefined ? (
        content
      ) : (
        <NeedsRole needs={needs} purpose={purpose}>
          {content}
        </NeedsRole>
      )}
    </Page>
  )
}

/** Parts that the caller may open, and the one it is at. */
function Menu({ here }: { here: string }) {
  const caller = useCaller()
  const open = ({ path, needs }: Section) =>
    path === here || needs === undefined || caller?.administrator === true || caller?.roles.includes(needs)
  return <PlaceMenu label="Operations" places={sections.filter(open)} here={here} />
}
