import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { RoleRequired } from '../../parts/access/RoleRequired.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { useFocusBack } from '../../parts/page/useFocusBack.ts'
import { useParameter } from '../../parts/page/useParameter.ts'
import { FeedDetail } from './FeedDetail.tsx'
import { FeedList } from './FeedList.tsx'
import type { Feed } from './feed.ts'
import { FeedForm } from './form/FeedForm.tsx'

/** `/feeds?id=`: lists that leave the platform, one of them, and a form to define another. */
export default function Feeds() {
  return (
    <Page
      title="Feeds"
      about="Lists that firewalls, resolvers and SIEMs download. They are updated whenever an entity changes."
    >
      <RoleRequired needs="user" purpose="To publish feeds">
        <Body />
      </RoleRequired>
    </Page>
  )
}

function Body() {
  const [id, setId] = useParameter('id')
  const [defining, setDefining] = useState(false)
  const button = useFocusBack(defining)

  function close(made: Feed | null): void {
    setDefining(false)
    if (made !== null) setId(made.id)
  }

  if (id !== null) return <FeedDetail key={id} id={id} close={() => setId('')} />
  return (
    <Stack gap="lg">
      <Group>
        <Button ref={button} disabled={defining} onClick={() => setDefining(true)}>
          New feed
        </Button>
      </Group>
      {defining && <FeedForm done={close} />}
      <FeedList defining={defining} />
    </Stack>
  )
}
